import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { IsBoolean, IsOptional, ValidateIf } from 'class-validator';
import { LicenseTermsDto } from '../../licenses/dto/license.dto.js';
import { IsProductLabel } from '../../licenses/dto/product.decorators.js';
import { AreDays, IsDuration, SERVICE_LIST } from '../../licenses/dto/terms.decorators.js';
import { lengthOf, planTermsOf } from '../../licenses/license-terms.js';
import type { Service } from '../../licenses/license.js';
import { ApiInteger } from '../../shared/fields/response.decorators.js';
import { IsText, RejectUnknownFields, Required } from '../../shared/fields/request.decorators.js';
import type { PlanFields } from '../plan.js';

/** The terms of its licenses. */
export const TERMS = [
  ...(['duration', 'days', 'perpetual', 'services', 'maxMachines'] as const),
  ...(['updatesDays', 'leaseSeconds', 'release', 'entitlements'] as const),
];

/** Body of POST /plans. */
export class CreatePlanDto extends PickType(LicenseTermsDto, TERMS) {
  @ApiProperty({ example: 'Team, one year', minLength: 1, maxLength: 200 })
  @Required('PLAN_NAME_REQUIRED')
  @IsText(1, 200)
  name!: string;

  @IsOptional()
  @IsProductLabel('The product whose licenses it issues; null for any', { nullable: true })
  product?: string | null;

  @ApiInteger(
    'Months from the first activation on. One of `duration`, `days` and `perpetual` is required',
    { required: false },
  )
  override duration?: number | null;

  @ApiProperty({ ...SERVICE_LIST, required: true })
  override services!: Service[];

  @ApiPropertyOptional({
    description:
      'Whether a machine that has activated a license of the plan activates no other for 400 days: for trials',
    type: Boolean,
    example: false,
  })
  @ValidateIf((_body, value) => value !== undefined)
  @IsBoolean()
  oncePerMachine?: boolean;
}

/** Body of PATCH /plans/:id; absent fields are not changed. */
@RejectUnknownFields()
export class UpdatePlanDto extends PartialType(CreatePlanDto, { skipNullProperties: false }) {
  @IsDuration('Months from the first activation on, instead of the present term')
  override duration?: number | null;

  @AreDays('Days of 24 hours from the first activation on, instead of the present term')
  override days?: number | null;
}

/** The fields of a new plan, with what the request leaves out. */
export const toPlanFields = ({
  name,
  product,
  oncePerMachine,
  ...terms
}: CreatePlanDto): PlanFields => ({
  name,
  product: product ?? null,
  ...planTermsOf(terms, null),
  oncePerMachine: oncePerMachine ?? false,
});

/** The fields that a request changes. */
export const toPlanChanges = ({ duration, days, perpetual, ...fields }: UpdatePlanDto) => ({
  ...fields,
  ...lengthOf({ duration, days, perpetual }),
});
