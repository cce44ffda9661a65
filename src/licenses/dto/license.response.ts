import { ApiProperty } from '@nestjs/swagger';
import {
  ApiInteger,
  ApiObjectId,
  ApiTimestamp,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { ListOf } from '../../shared/pagination/page.query.js';
import {
  type License,
  LICENSE_STATUSES,
  type LicenseStatus,
  MAX_DURATION,
  MIN_DURATION,
  SERVICES,
  statusOf,
} from '../license.js';
import { ApiProduct } from './product.decorators.js';

export class LicenseDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({
    description: 'The license key',
    example: 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD',
  })
  key!: string;

  @ApiInteger('Months, as issued', { minimum: MIN_DURATION, maximum: MAX_DURATION, example: 6 })
  duration!: number;

  @ApiTimestamp('Creation; from the first activation on, the time of that')
  issuedAt!: Date;

  @ApiTimestamp('End of the term: `issuedAt` and `duration` months; later, once renewed')
  expiresAt!: Date;

  @ApiProperty({ enum: SERVICES, enumName: 'LicensedService', isArray: true, example: ['Hosting'] })
  services!: string[];

  @ApiProperty({ enum: LICENSE_STATUSES, enumName: 'LicenseStatus', example: 'PENDING' })
  status!: LicenseStatus;

  @ApiObjectId('The user that created it')
  user!: string;

  @ApiObjectId('The owning client')
  client!: string;

  @ApiObjectId('The owning project')
  project!: string;

  @ApiProduct()
  product!: string | null;

  @ApiProperty({
    description: 'Hash of the machine that it is bound to',
    type: String,
    nullable: true,
    example: '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
  })
  machineId!: string | null;

  @ApiTimestamp('When it was activated for the first time', { nullable: true })
  activatedAt!: Date | null;

  @ApiTimestamp('When it was revoked', { nullable: true })
  revokedAt!: Date | null;

  @ApiProperty({
    description: 'The reason that was given; `Reissued` where a replacement was issued',
    type: String,
    nullable: true,
    example: 'Contract ended',
  })
  revokedReason!: string | null;

  @ApiObjectId('The license that this one was issued in place of', { nullable: true })
  replaces!: string | null;

  @ApiTimestamp('When it was created')
  createdAt!: Date;

  @ApiTimestamp('When it was last changed')
  updatedAt!: Date;
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

export class LicenseListResponse extends ListOf(LicenseDto) {}

/** @param key the license key in plain text; the stored license holds it sealed */
export function toLicenseDto(license: License, key: string, now: Date): LicenseDto {
  return {
    _id: license._id,
    key,
    duration: license.duration,
    issuedAt: license.issuedAt,
    expiresAt: license.expiresAt,
    services: [...license.services],
    status: statusOf(license, now),
    user: license.user,
    client: license.client,
    project: license.project,
    product: license.product,
    machineId: license.machineId,
    activatedAt: license.activatedAt,
    revokedAt: license.revokedAt,
    revokedReason: license.revokedReason,
    replaces: license.replaces,
    createdAt: license.createdAt,
    updatedAt: license.updatedAt,
  };
}
