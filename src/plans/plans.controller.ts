import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/request.decorators.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import {
  CreatePlanDto,
  PlanListQuery,
  toPlanChanges,
  toPlanFields,
  UpdatePlanDto,
} from './dto/plan.dto.js';
import { ChangedPlan, PlanDto, PlanListResponse, toPlanDto } from './dto/plan.response.js';
import { PlansService } from './plans.service.js';

const LIST = 'plans';

@ApiTags('plans')
@Controller('plans')
export class PlansController {
  constructor(private readonly plans: PlansService) {}

  @Post()
  @Describe(
    'Create a plan',
    'A plan is what you sell. When you issue a license with a plan, the plan supplies every field you omit.',
  )
  @Responds(201, 'The new plan', ChangedPlan)
  @ApiErrors(
    'PLAN_NAME_REQUIRED',
    'INVALID_DURATION',
    'INVALID_TERM',
    'SERVICES_REQUIRED',
    'PLAN_NAME_TAKEN',
    'PLAN_QUOTA_REACHED',
  )
  async createPlan(
    @Account() accountId: AccountId,
    @Body() body: CreatePlanDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedPlan> {
    const plan = await this.plans.create(accountId, toPlanFields(body), idempotency);
    return { message: 'Plan created', plan: toPlanDto(plan) };
  }

  @Get()
  @Describe('List your plans', 'Paginated, newest first.')
  @Responds(200, 'A page of plans', PlanListResponse)
  async listPlans(
    @Account() accountId: AccountId,
    @Query() query: PlanListQuery,
  ): Promise<PlanListResponse> {
    const page = await this.plans.list(accountId, query.name, toPageRequest(query, LIST));
    const counts = query.licensesCount && (await this.plans.countLicenses(page.data, accountId));
    return toListResponse(page, LIST, (plan) => ({
      ...toPlanDto(plan),
      ...(counts && { licensesCount: counts.get(plan._id) ?? 0 }),
    }));
  }

  @Get(':id')
  @Describe('Get a plan', 'A plan of another account returns 404.')
  @Responds(200, 'The plan', PlanDto)
  @ApiErrors('PLAN_NOT_FOUND')
  async getPlan(@Account() accountId: AccountId, @Param() { id }: IdParam): Promise<PlanDto> {
    return toPlanDto(await this.plans.get(id, accountId));
  }

  @Patch(':id')
  @Describe(
    'Update a plan',
    'Does not change licenses that were already issued. Fields you omit keep their values, and a new term replaces the old one. ' +
      'Unknown fields are rejected.',
  )
  @Responds(200, 'The updated plan', ChangedPlan)
  @ApiErrors(
    'PLAN_NAME_REQUIRED',
    'INVALID_DURATION',
    'INVALID_TERM',
    'SERVICES_REQUIRED',
    'PLAN_NOT_FOUND',
    'PLAN_NAME_TAKEN',
  )
  async updatePlan(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() changes: UpdatePlanDto,
  ): Promise<ChangedPlan> {
    const plan = await this.plans.update(id, accountId, toPlanChanges(changes));
    return { message: 'Plan updated', plan: toPlanDto(plan) };
  }

  @Delete(':id')
  @Describe('Delete a plan', 'Does not change licenses that were already issued.')
  @Responds(204, 'Plan deleted')
  @ApiErrors('PLAN_NOT_FOUND')
  deletePlan(@Account() accountId: AccountId, @Param() { id }: IdParam): Promise<void> {
    return this.plans.delete(id, accountId);
  }
}
