import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { IsBoolean, IsOptional, ValidateIf } from 'class-validator';
import { LicenseTermsDto } from '../../licenses/dto/license.dto.js';
import { IsProductLabel } from '../../licenses/dto/product.decorators.js';
import { AreDays, IsDuration, SERVICE_LIST } from '../../licenses/dto/terms.decorators.js';
import { lengthOf, planTermsOf } from '../../licenses/license-terms.js';
import { LENGTH_CHOICES } from '../../licenses/term.js';
import { ApiInteger } from '../../shared/fields/response.decorators.js';
import { IsName, IsText, Required } from '../../shared/fields/request.decorators.js';
import { CountedPageQuery } from '../../shared/pagination/page.query.js';
import { IsFlag } from '../../shared/fields/query.decorators.js';
import type { PlanFields } from '../plan.js';

/** The terms of its licenses. */
export const TERMS = [
  ...(['duration', 'days', 'perpetual', 'services', 'maxMachines'] as const),
  ...(['updatesDays', 'leaseSeconds', 'release', 'entitlements'] as const),
];

/** Body of POST /plans. */
export class CreatePlanDto extends PickType(LicenseTermsDto, TERMS) {
  @Required('PLAN_NAME_REQUIRED')
  @IsName(200, { example: 'Team, one year' })
  name!: string;

  @IsOptional()
  @IsProductLabel('The product this plan is for; null for any product', { nullable: true })
  product?: string | null;

  @ApiInteger(
    'Term in months, starting at the first activation. One of `duration`, `days` and `perpetual` is required.',
    { required: false },
  )
  override duration?: number | null;

  @ApiProperty({ ...SERVICE_LIST, required: true })
  override services!: string[];

  @ApiPropertyOptional({
    description:
      'For trials: a machine that has activated a license of this plan cannot activate another one for 400 days',
    type: Boolean,
    example: false,
  })
  @ValidateIf((_body, value) => value !== undefined)
  @IsBoolean()
  oncePerMachine?: boolean;
}

/** Body of PATCH /plans/:id; absent fields are not changed. */
export class UpdatePlanDto extends PartialType(CreatePlanDto, { skipNullProperties: false }) {
  @IsDuration('New term in months, starting at the first activation. Replaces the current term.')
  override duration?: number | null;

  @AreDays(
    'New term in days of 24 hours, starting at the first activation. Replaces the current term.',
  )
  override days?: number | null;
}

export class PlanListQuery extends CountedPageQuery {
  @IsText(1, 200, {
    description: 'Only the plan with this name',
    example: 'Team, one year',
    required: false,
  })
  name?: string;

  @IsFlag({
    description: 'Set to true to also get the `licensesCount` of each plan',
    example: true,
  })
  licensesCount?: boolean;
}

/** The fields of a new plan, with defaults for those that the request omits. */
export const toPlanFields = ({
  name,
  product,
  oncePerMachine,
  ...terms
}: CreatePlanDto): PlanFields => ({
  name,
  product: product ?? null,
  ...planTermsOf(terms, null, LENGTH_CHOICES),
  oncePerMachine: oncePerMachine ?? false,
});

/** The fields that a request changes. */
export const toPlanChanges = ({ duration, days, perpetual, ...fields }: UpdatePlanDto) => ({
  ...fields,
  ...lengthOf({ duration, days, perpetual }),
});
