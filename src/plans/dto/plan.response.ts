import { ApiProperty, PickType } from '@nestjs/swagger';
import { LicenseDto } from '../../licenses/dto/license.response.js';
import { isEndless } from '../../licenses/term.js';
import { ApiInteger, toDto, WithMessage } from '../../shared/fields/response.decorators.js';
import { CountedListOf } from '../../shared/pagination/page.query.js';
import type { Plan } from '../plan.js';
import { TERMS } from './plan.dto.js';

const OF_LICENSES = [...(['_id', 'product', 'createdAt', 'updatedAt'] as const), ...TERMS];

/** A plan, with the terms of its licenses. */
export class PlanDto extends PickType(LicenseDto, OF_LICENSES) {
  @ApiProperty({ description: 'Unique in the account', example: 'Team, one year' })
  name!: string;

  @ApiProperty({
    description: 'True if a machine can activate only one license of this plan',
    example: false,
  })
  oncePerMachine!: boolean;
}

/** Response to the creation or a change of a plan. */
export class ChangedPlan extends WithMessage('Plan created', { plan: PlanDto }) {}

/** A plan in a list. */
export class ListedPlan extends PlanDto {
  @ApiInteger('Number of licenses issued with the plan; only if requested', {
    minimum: 0,
    required: false,
    example: 12,
  })
  licensesCount?: number;
}

export class PlanListResponse extends CountedListOf(ListedPlan) {}

const shown = toDto(PlanDto);

export const toPlanDto = (plan: Plan): PlanDto => shown({ ...plan, perpetual: isEndless(plan) });
