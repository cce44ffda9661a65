import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsOptional, ValidateIf } from 'class-validator';
import { IsProductLabel } from '../../licenses/dto/product.decorators.js';
import {
  AreDays,
  AreEntitlements,
  AreLeaseSeconds,
  AreServices,
  IsDuration,
  IsMaxMachines,
  IsPerpetual,
  IsReleasePolicy,
} from '../../licenses/dto/terms.decorators.js';
import { lengthOf, requiredLength } from '../../licenses/license-terms.js';
import type { ReleasePolicy, Service } from '../../licenses/license.js';
import { RejectUnknownFields } from '../../shared/fields/reject-unknown-fields.decorator.js';
import { Required } from '../../shared/fields/required.decorator.js';
import { IsText } from '../../shared/fields/text.decorators.js';
import type { PlanFields } from '../plan.js';

const IsOncePerMachine = () =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'Whether a machine that has activated a license of the plan activates no other for 400 days: for trials',
      type: Boolean,
      example: false,
    }),
    ValidateIf((_body, value) => value !== undefined),
    IsBoolean(),
  );

/** Body of POST /plans. */
export class CreatePlanDto {
  @ApiProperty({ example: 'Team, one year', minLength: 1, maxLength: 200 })
  @Required('PLAN_NAME_REQUIRED')
  @IsText(1, 200)
  name!: string;

  @IsOptional()
  @IsProductLabel('The product whose licenses it issues; null for any', { nullable: true })
  product?: string | null;

  @IsDuration(
    'Months from the first activation on. One of `duration`, `days` and `perpetual` is required',
  )
  duration?: number | null;

  @AreDays('Days of 24 hours from the first activation on')
  days?: number | null;

  @IsPerpetual('true for licenses without an end')
  perpetual?: boolean | null;

  @AreServices()
  services!: Service[];

  @IsMaxMachines()
  maxMachines?: number;

  @AreLeaseSeconds()
  leaseSeconds?: number | null;

  @IsReleasePolicy()
  release?: ReleasePolicy;

  @AreEntitlements()
  entitlements?: string[];

  @IsOncePerMachine()
  oncePerMachine?: boolean;
}

/** Body of PATCH /plans/:id; absent fields are not changed. */
@RejectUnknownFields()
export class UpdatePlanDto extends PartialType(CreatePlanDto, { skipNullProperties: false }) {
  @IsDuration('Months from the first activation on, instead of the present term', false)
  override duration?: number | null;

  @AreDays('Days of 24 hours from the first activation on, instead of the present term')
  override days?: number | null;
}

/** The fields of a new plan, with what the request leaves out. */
export const toPlanFields = (body: CreatePlanDto): PlanFields => ({
  name: body.name,
  product: body.product ?? null,
  ...requiredLength(body),
  services: body.services,
  maxMachines: body.maxMachines ?? 1,
  leaseSeconds: body.leaseSeconds ?? null,
  release: body.release ?? 'owner',
  entitlements: body.entitlements ?? [],
  oncePerMachine: body.oncePerMachine ?? false,
});

/** The fields that a request changes. */
export const toPlanChanges = ({ duration, days, perpetual, ...fields }: UpdatePlanDto) => ({
  ...fields,
  ...lengthOf({ duration, days, perpetual }),
});
