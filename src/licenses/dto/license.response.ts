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
import { DAYS, LEASE, MACHINES, MONTHS, RELEASE, SERVICE_LIST } from './terms.decorators.js';

export class LicenseDto extends RecordDto {
  @ApiProperty({
    description:
      'The license key; `•••• ` and its last four characters for a viewer, and for an API key without `licenses:write`',
    example: 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD',
  })
  key!: string;

  @ApiProperty({ description: 'Its last four characters', example: '93KD' })
  keyHint!: string;

  @ApiInteger('Months, as issued; null if it was issued for something else', MONTHS)
  duration!: number | null;

  @ApiInteger('Days of 24 hours, as issued; null if it was issued for something else', {
    ...DAYS,
    example: null,
  })
  days!: number | null;

  @ApiProperty({ description: 'Whether it never expires', example: false })
  perpetual!: boolean;

  @ApiProperty({
    description: 'Whether the end is absolute: no activation moves it, and a replacement keeps it',
    example: false,
  })
  endIsFixed!: boolean;

  @ApiProperty({
    description:
      'Whether the term has not begun: `expiresAt` is what it would be if the license were activated when it was created',
    example: true,
  })
  startsOnActivation!: boolean;

  @ApiTimestamp('Creation; from the first activation on, the time of that')
  issuedAt!: Date;

  @ApiTimestamp(
    'End of the term: `issuedAt` and what it was issued for, or an absolute end; null if perpetual',
    {
      nullable: true,
    },
  )
  expiresAt!: Date | null;

  @ApiTimestamp(
    'Until when updates are included: builds released by then may run forever; null: without limit, unless `updatesDays` is set',
    { nullable: true, example: null },
  )
  updatesUntil!: Date | null;

  @ApiInteger('Days of updates from the first activation on; null from then on', {
    ...DAYS,
    example: null,
  })
  updatesDays!: number | null;

  @ApiProperty({ ...SERVICE_LIST, example: ['Hosting'] })
  services!: readonly string[];

  @ApiProperty({ enum: LICENSE_STATUSES, enumName: 'LicenseStatus', example: 'PENDING' })
  status!: LicenseStatus;

  @ApiObjectId('The user that created it')
  user!: string;

  @ApiObjectId('The owning client')
  client!: string;

  @ApiNullableText('Its name; null if it has been deleted meanwhile', 'Acme Ltd')
  clientName!: string | null;

  @ApiObjectId('The owning project')
  project!: string;

  @ApiNullableText('Its name; null if it has been deleted meanwhile', 'Web shop')
  projectName!: string | null;

  @ApiProduct()
  product!: string | null;

  @ApiInteger('Machines that may use it at the same time', {
    ...MACHINES,
    example: 1,
  })
  maxMachines!: number;

  @ApiInteger(`Machines that hold a seat now; of a floating license counted up to ${MAX_COUNTED}`, {
    minimum: 0,
    example: 1,
  })
  machinesCount!: number;

  @ApiInteger(LEASE.description, { ...LEASE, example: null })
  leaseSeconds!: number | null;

  @ApiProperty({
    description:
      'Who may release a seat without a lease: only you (`owner`), or the machine itself, too. A floating machine may always ' +
      'release its own',
    ...RELEASE,
    example: 'owner',
  })
  release!: ReleasePolicy;

  @ApiProperty({
    description: 'Features that it includes, sorted',
    type: [String],
    example: ['export.pdf', 'team'],
  })
  entitlements!: readonly string[];

  @ApiProperty({
    description: "Its owner's notes",
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { seller: 'Miriam' },
  })
  metadata!: Record<string, string>;

  @ApiNullableText("Its owner's id of it", 'order-2026-0815')
  externalId!: string | null;

  @ApiObjectId('The plan by which it was issued', { nullable: true })
  plan!: string | null;

  @ApiNullableText(
    'Hash of the machine that holds the only seat; null if `maxMachines` is above 1, or no machine holds it',
    '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
  )
  machineId!: string | null;

  @ApiTimestamp('When it was activated for the first time', { nullable: true })
  activatedAt!: Date | null;

  @ApiTimestamp('When it was revoked', { nullable: true })
  revokedAt!: Date | null;

  @ApiNullableText(
    'The reason that was given; `Reissued` where a replacement was issued',
    'Contract ended',
  )
  revokedReason!: string | null;

  @ApiObjectId('The license that this one replaces', { nullable: true })
  replaces!: string | null;
}

/** Response to the creation or a change of a license. */
export class ChangedLicense extends WithMessage('License renewed successfully') {
  @ApiProperty({ type: LicenseDto })
  license!: LicenseDto;
}

export class ReissuedLicense extends WithMessage('License reissued successfully') {
  @ApiProperty({ type: LicenseDto, description: 'The license that was revoked' })
  revoked!: LicenseDto;

  @ApiProperty({ type: LicenseDto, description: 'Its replacement, with a new key' })
  license!: LicenseDto;

  @ApiTimestamp(
    "Latest end of the old license's certificates for machines without a network that are still valid; null if there are none",
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

/** @param key as it is shown; the stored license holds it sealed */
export function toLicenseDto(
  { license, names, machines, at }: ShownLicense,
  key: string,
): LicenseDto {
  return shown({
    ...license,
    ...names,
    ...machines,
    key,
    keyHint: key.slice(-4),
    perpetual: isPerpetual(license),
    expiresAt: endOfLicense(license),
    status: statusOf(license, at),
    startsOnActivation: startsOnActivation(license),
    metadata: Object.fromEntries(license.metadata),
  });
}
