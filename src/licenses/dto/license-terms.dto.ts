import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsObjectId } from '../../shared/fields/object-id.decorator.js';
import { RejectUnknownFields } from '../../shared/fields/reject-unknown-fields.decorator.js';
import { IsText, IsVisible } from '../../shared/fields/text.decorators.js';
import type { ReleasePolicy, Service } from '../license.js';
import {
  AreDays,
  AreEntitlements,
  AreLeaseSeconds,
  AreServices,
  IsDuration,
  IsMaxMachines,
  IsMetadata,
  IsPerpetual,
  IsReleasePolicy,
} from './terms.decorators.js';

const IsExternalId = () =>
  applyDecorators(
    ApiPropertyOptional({
      description: "Your own id of it, such as an order's; unique in your account",
      type: String,
      nullable: true,
      minLength: 1,
      maxLength: 200,
      example: 'order-2026-0815',
    }),
    IsOptional(),
    IsText(1, 200),
    IsVisible(),
  );

/** The terms of new licenses, for one or several of them. */
export class LicenseTermsDto {
  @IsDuration(
    'Months from the first activation on. One of `duration`, `days`, `perpetual` and `plan` is required',
  )
  duration?: number | null;

  @AreDays('Days of 24 hours from the first activation on')
  days?: number | null;

  @IsPerpetual('true for a license without an end')
  perpetual?: boolean | null;

  @AreServices('with plan')
  services?: Service[];

  @IsMaxMachines()
  maxMachines?: number;

  @AreLeaseSeconds()
  leaseSeconds?: number | null;

  @IsReleasePolicy()
  release?: ReleasePolicy;

  @AreEntitlements()
  entitlements?: string[];

  @IsMetadata()
  metadata?: Record<string, string>;

  @IsObjectId('A plan, which fills in what the request leaves out', {
    required: false,
    nullable: true,
  })
  plan?: string | null;
}

/** The terms of one new license. */
export class NewLicenseDto extends LicenseTermsDto {
  @IsExternalId()
  externalId?: string | null;
}

const CHANGEABLE = [
  'maxMachines',
  'leaseSeconds',
  'release',
  'entitlements',
  'metadata',
  'externalId',
] as const;

/** Body of PATCH /licenses/:id. */
@RejectUnknownFields()
export class UpdateLicenseDto extends PickType(NewLicenseDto, CHANGEABLE) {
  @AreServices(true)
  services?: Service[];

  @IsObjectId(
    'A plan, whose limits and features it takes over where the request has none; null: none from now on',
    { required: false, nullable: true },
  )
  plan?: string | null;
}
