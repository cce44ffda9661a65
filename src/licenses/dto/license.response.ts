import { ApiProperty } from '@nestjs/swagger';
import {
  ApiInteger,
  ApiNullableText,
  ApiObjectId,
  ApiTimestamp,
  RecordDto,
  toDto,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { CountedListOf, ListOf } from '../../shared/pagination/page.query.js';
import {
  endOfLicense,
  LICENSE_STATUSES,
  type LicenseStatus,
  type ReleasePolicy,
  startsOnActivation,
  statusOf,
} from '../license.js';
import { MachineDto } from '../../machines/dto/machine.response.js';
import { MAX_COUNTED } from '../../machines/machines.service.js';
import type { ShownLicense } from '../license-reader.js';
import { isPerpetual } from '../term.js';
import { ApiProduct } from './product.decorators.js';
import { DAYS, LEASE, MACHINES, MONTHS, RELEASE } from './terms.decorators.js';

export class LicenseDto extends RecordDto {
  @ApiProperty({
    description:
      'The license key. Viewers and API keys without `licenses:write` see `•••• ` and the last four characters.',
    example: 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD',
  })
  key!: string;

  @ApiProperty({ description: 'Its last four characters', example: '93KD' })
  keyHint!: string;

  @ApiInteger('Months the license was issued for; null if the term is in days or perpetual', MONTHS)
  duration!: number | null;

  @ApiInteger(
    'Days of 24 hours the license was issued for; null if it was issued for months or is perpetual',
    {
      ...DAYS,
      example: null,
    },
  )
  days!: number | null;

  @ApiProperty({ description: 'True if the license never expires', example: false })
  perpetual!: boolean;

  @ApiProperty({
    description:
      'True if the expiry date is fixed: activation does not move it, and a replacement keeps it',
    example: false,
  })
  endIsFixed!: boolean;

  @ApiProperty({
    description:
      'True until the first activation if the term starts then. Until then, `expiresAt` is provisional and counts from creation',
    example: true,
  })
  startsOnActivation!: boolean;

  @ApiTimestamp('Time of the first activation; time of creation until then')
  issuedAt!: Date;

  @ApiTimestamp(
    'When the license expires: `issuedAt` plus the term, including renewals, or a fixed date; null if perpetual',
    {
      nullable: true,
    },
  )
  expiresAt!: Date | null;

  @ApiTimestamp(
    'When updates end: builds released by then may run forever. Null if unlimited, or if `updatesDays` is set',
    { nullable: true, example: null },
  )
  updatesUntil!: Date | null;

  @ApiInteger('Days of updates, starting at the first activation; null after it', {
    ...DAYS,
    example: null,
  })
  updatesDays!: number | null;

  @ApiProperty({ type: [String], example: ['Hosting'] })
  services!: readonly string[];

  @ApiProperty({ enum: LICENSE_STATUSES, enumName: 'LicenseStatus', example: 'PENDING' })
  status!: LicenseStatus;

  @ApiObjectId('The user who created the license')
  user!: string;

  @ApiObjectId('The client it belongs to')
  client!: string;

  @ApiNullableText('Name of the client; null if the client has been deleted', 'Acme Ltd')
  clientName!: string | null;

  @ApiObjectId('The project it belongs to')
  project!: string;

  @ApiNullableText('Name of the project; null if the project has been deleted', 'Web shop')
  projectName!: string | null;

  @ApiProduct()
  product!: string | null;

  @ApiInteger('Number of machines that can use the license at the same time', {
    ...MACHINES,
    example: 1,
  })
  maxMachines!: number;

  @ApiInteger(
    `Number of machines that hold a seat. For floating licenses, counting stops at ${MAX_COUNTED}.`,
    {
      minimum: 0,
      example: 1,
    },
  )
  machinesCount!: number;

  @ApiInteger(LEASE.description, { ...LEASE, example: null })
  leaseSeconds!: number | null;

  @ApiProperty({
    description:
      'Who can release a seat that has no lease: only you (`owner`) or also the machine itself (`self`). On a floating license, machines ' +
      'can always release their own seat.',
    ...RELEASE,
    example: 'owner',
  })
  release!: ReleasePolicy;

  @ApiProperty({
    description: 'Features of the license, sorted',
    type: [String],
    example: ['export.pdf', 'team'],
  })
  entitlements!: readonly string[];

  @ApiProperty({
    description: 'Your own notes',
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { seller: 'Miriam' },
  })
  metadata!: Record<string, string>;

  @ApiNullableText('Your own reference', 'order-2026-0815')
  externalId!: string | null;

  @ApiObjectId('The plan the license was issued with', { nullable: true })
  plan!: string | null;

  @ApiNullableText(
    'Hash of the machine that holds the only seat; null if no machine holds it or `maxMachines` is above 1',
    '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
  )
  machineId!: string | null;

  @ApiTimestamp('Time of the first activation', { nullable: true })
  activatedAt!: Date | null;

  @ApiNullableText('Reason given for the suspension', 'Invoice 2026-0815 unpaid')
  suspendedReason!: string | null;

  @ApiTimestamp('Time of the revocation', { nullable: true })
  revokedAt!: Date | null;

  @ApiNullableText(
    'Reason given for the revocation; `Reissued` if the license was replaced',
    'Contract ended',
  )
  revokedReason!: string | null;

  @ApiObjectId('The license that this one replaced', { nullable: true })
  replaces!: string | null;
}

export class LookedUpLicense {
  @ApiProperty({ type: LicenseDto })
  license!: LicenseDto;
}

/** Response to the creation or a change of a license. */
export class ChangedLicense extends WithMessage('License renewed', { license: LicenseDto }) {}

export class ReissuedLicense extends WithMessage('License reissued') {
  @ApiProperty({ type: LicenseDto, description: 'The revoked license' })
  revoked!: LicenseDto;

  @ApiProperty({ type: LicenseDto, description: 'The replacement, with a new key' })
  license!: LicenseDto;

  @ApiTimestamp(
    'When the last certificate of the old license for offline activation expires; null if none is still valid',
    { nullable: true, example: '2027-01-31T10:15:00.000Z' },
  )
  certificateExpiresAt!: Date | null;
}

export class LicenseListResponse extends CountedListOf(LicenseDto) {}

/** A seat that a machine holds, with its license. */
export class LicenseOfMachineDto extends MachineDto {
  @ApiProperty({ type: LicenseDto })
  license!: LicenseDto;
}

export class LicensesOfMachineResponse extends ListOf(LicenseOfMachineDto) {}

const shown = toDto(LicenseDto);

/** @param key the key as shown; the stored license contains it sealed */
export function toLicenseDto(
  { license, names, machines, at }: ShownLicense,
  key: string,
): LicenseDto {
  return shown({
    ...license,
    ...names,
    ...machines,
    key,
    perpetual: isPerpetual(license),
    expiresAt: endOfLicense(license),
    status: statusOf(license, at),
    startsOnActivation: startsOnActivation(license),
    metadata: Object.fromEntries(license.metadata),
  });
}
