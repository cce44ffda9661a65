import { ApiProperty } from '@nestjs/swagger';
import { ApiProduct } from '../../licenses/dto/product.decorators.js';
import { RELEASE_POLICIES, type ReleasePolicy, SERVICES } from '../../licenses/license.js';
import { MAX_LEASE, MAX_MACHINES, MIN_LEASE } from '../../machines/machine.js';
import { isPerpetual, MAX_DURATION, MAX_TERM_DAYS, MIN_DURATION } from '../../licenses/term.js';
import {
  ApiInteger,
  ApiObjectId,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { CountedListOf } from '../../shared/pagination/page.query.js';
import type { Plan } from '../plan.js';

export class PlanDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ description: 'Unique in the account', example: 'Team, one year' })
  name!: string;

  @ApiProduct()
  product!: string | null;

  @ApiInteger('Months; null for licenses of days or without an end', {
    minimum: MIN_DURATION,
    maximum: MAX_DURATION,
    nullable: true,
    example: 12,
  })
  duration!: number | null;

  @ApiInteger('Days of 24 hours; null for licenses of months or without an end', {
    minimum: 1,
    maximum: MAX_TERM_DAYS,
    nullable: true,
    example: null,
  })
  days!: number | null;

  @ApiProperty({ description: 'Whether its licenses have no end', example: false })
  perpetual!: boolean;

  @ApiProperty({ enum: SERVICES, enumName: 'LicensedService', isArray: true, example: ['Hosting'] })
  services!: readonly string[];

  @ApiInteger('Machines that may use a license at the same time', {
    minimum: 1,
    maximum: MAX_MACHINES,
    example: 5,
  })
  maxMachines!: number;

  @ApiInteger(
    'Seconds for which a machine holds its seat after each heartbeat; null: until it is released',
    { minimum: MIN_LEASE, maximum: MAX_LEASE, nullable: true, example: null },
  )
  leaseSeconds!: number | null;

  @ApiProperty({ enum: RELEASE_POLICIES, enumName: 'ReleasePolicy', example: 'owner' })
  release!: ReleasePolicy;

  @ApiProperty({ description: 'Features, sorted', type: [String], example: ['team'] })
  entitlements!: readonly string[];

  @ApiProperty({ description: 'Whether a machine activates one license of it', example: false })
  oncePerMachine!: boolean;

  @ApiTimestamp('When it was created')
  createdAt!: Date;

  @ApiTimestamp('When it was last changed')
  updatedAt!: Date;
}

/** Response to the creation or a change of a plan. */
export class ChangedPlan extends WithMessage('Plan created successfully') {
  @ApiProperty({ type: PlanDto })
  plan!: PlanDto;
}

export class PlanListResponse extends CountedListOf(PlanDto) {}

const shown = toDto(PlanDto);

export const toPlanDto = (plan: Plan): PlanDto => shown({ ...plan, perpetual: isPerpetual(plan) });
