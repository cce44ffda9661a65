import { ApiProperty } from '@nestjs/swagger';
import { LICENSE_STATUSES, type LicenseStatus } from '../../licenses/license.js';
import {
  ApiInteger,
  ApiNullableText,
  ApiObjectId,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { ListOf } from '../../shared/pagination/page.query.js';
import { LOGO } from './portal.dto.js';

/** The public settings of an enabled portal. */
export class PortalPageDto {
  @ApiProperty({ description: "The vendor's name", example: 'Studio Ada' })
  name!: string;

  @ApiNullableText('Where customers get help', 'mailto:support@studio.example')
  supportUrl!: string | null;

  @ApiProperty(LOGO)
  logo!: string | null;

  @ApiProperty({
    description: 'Whether the service emails sign-in links. If not, the vendor hands them out.',
    example: true,
  })
  mailsLinks!: boolean;
}

export const toPortalPageDto = toDto(PortalPageDto);

export class PortalSessionResponse extends WithMessage('Signed in') {}

export class CustomerMachineDto {
  @ApiProperty({
    description: 'Hash of the machine',
    example: '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
  })
  machineId!: string;

  @ApiNullableText('The machine name sent by the software', 'Office 2, drawing board')
  name!: string | null;

  @ApiTimestamp('Start of the day (UTC) on which the machine was last seen', {
    example: '2026-01-31T00:00:00.000Z',
  })
  lastSeenAt!: Date;

  @ApiTimestamp(
    'When its certificate for offline activation expires; it cannot be released before then. Null without one.',
    { nullable: true, example: null },
  )
  certificateEndsAt!: Date | null;
}

export class CustomerLicenseDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiNullableText('The name of the project', 'Drawing board')
  project!: string | null;

  @ApiProperty({
    description: 'The license key, or only its last four characters if the vendor does not show it',
    example: '•••• 93KD',
  })
  key!: string;

  @ApiProperty({ enum: LICENSE_STATUSES, enumName: 'LicenseStatus', example: 'ACTIVE' })
  status!: LicenseStatus;

  @ApiProperty({
    description: 'Whether the term starts with the first activation, which has not happened yet',
    example: false,
  })
  startsOnActivation!: boolean;

  @ApiTimestamp('When it expires, if it starts now; null if it is perpetual', {
    nullable: true,
  })
  expiresAt!: Date | null;

  @ApiTimestamp('When updates end; null if they never do', { nullable: true })
  updatesUntil!: Date | null;

  @ApiInteger('How many machines may use it', { minimum: 1, example: 2 })
  maxMachines!: number;

  @ApiInteger('How many machines hold a seat; for floating licenses, counting stops at 1000', {
    minimum: 0,
    example: 1,
  })
  machinesCount!: number;

  @ApiProperty({
    description: 'The latest 100 machines that hold a seat',
    type: [CustomerMachineDto],
  })
  machines!: CustomerMachineDto[];

  @ApiInteger('How many machines can be released now', { minimum: 0, example: 3 })
  releasesLeft!: number;

  @ApiTimestamp('When another machine can be released, if none can be released now', {
    nullable: true,
    example: null,
  })
  releaseAvailableAt!: Date | null;
}

export const toCustomerLicenseDto = toDto(CustomerLicenseDto);

export class CustomerLicenseList extends ListOf(CustomerLicenseDto) {
  @ApiProperty({ description: 'The name of the client', example: 'Acme Ltd' })
  clientName!: string;

  @ApiProperty({ description: "The client's email address", example: 'office@acme.example' })
  clientEmail!: string;

  @ApiInteger(
    'Maximum number of days that software can keep running on a released machine that stays offline',
    { minimum: 1, example: 7 },
  )
  offlineDays!: number;
}
