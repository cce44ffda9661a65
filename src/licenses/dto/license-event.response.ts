import { ApiProperty } from '@nestjs/swagger';
import { ApiInteger, ApiObjectId, ApiTimestamp } from '../../shared/fields/response.decorators.js';
import { ListOf } from '../../shared/pagination/page.query.js';
import { LICENSE_EVENT_TYPES, type LicenseEvent, type LicenseEventType } from '../license-event.js';

export class LicenseEventDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ enum: LICENSE_EVENT_TYPES, enumName: 'LicenseEventType', example: 'activated' })
  type!: LicenseEventType;

  @ApiTimestamp('When it happened; of rejected activations, the last time on that day (UTC)')
  at!: Date;

  @ApiObjectId('The user that did it; null for shipped software and the passing of time', {
    nullable: true,
  })
  actor!: string | null;

  @ApiProperty({
    description: 'Hash of the machine that was activated or certified, or rejected last',
    type: String,
    nullable: true,
    example: '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
  })
  machineId!: string | null;

  @ApiProperty({
    description:
      'Of a revocation, the reason that was given; of rejected activations: `revoked`, `expired` or `other_machine`',
    type: String,
    nullable: true,
    example: 'Contract ended',
  })
  reason!: string | null;

  @ApiInteger('How often: rejected activations are one event for each reason and day', {
    minimum: 1,
    example: 1,
  })
  count!: number;

  @ApiTimestamp('Of a certificate for a machine without a network: when it ends', {
    nullable: true,
    example: '2027-01-31T10:15:00.000Z',
  })
  certificateExpiresAt!: Date | null;
}

export class LicenseEventListResponse extends ListOf(LicenseEventDto) {}

/** An event of any license of an account. */
export class AccountEventDto extends LicenseEventDto {
  @ApiObjectId('The license')
  license!: string;

  @ApiObjectId('The project of the license')
  project!: string;
}

export class AccountEventListResponse extends ListOf(AccountEventDto) {}

export const toAccountEventDto = (event: LicenseEvent): AccountEventDto => ({
  ...toLicenseEventDto(event),
  license: event.license,
  project: event.project,
});

export function toLicenseEventDto(event: LicenseEvent): LicenseEventDto {
  const { _id, type, at, actor, machineId, reason, count, certificateExpiresAt } = event;
  return { _id, type, at, actor, machineId, reason, count, certificateExpiresAt };
}
