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
    'What you sell: a license that is issued by it takes over what its request leaves out.',
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
    return { message: 'Plan created successfully', plan: toPlanDto(plan) };
  }

  @Get()
  @Describe('List your plans', 'The newest first, a page at a time.')
  @Responds(200, 'A page of plans', PlanListResponse)
  async listPlans(
    @Account() accountId: AccountId,
    @Query() query: PlanListQuery,
  ): Promise<PlanListResponse> {
    const page = await this.plans.list(accountId, query.name, toPageRequest(query, LIST));
    return toListResponse(page, LIST, toPlanDto);
  }

  @Get(':id')
  @Describe('Read a plan', "Another user's plan is not found.")
  @Responds(200, 'The plan', PlanDto)
  @ApiErrors('PLAN_NOT_FOUND')
  async getPlan(@Account() accountId: AccountId, @Param() { id }: IdParam): Promise<PlanDto> {
    return toPlanDto(await this.plans.get(id, accountId));
  }

  @Patch(':id')
  @Describe(
    'Change a plan',
    'Licenses that were issued by it stay as they are. What is absent stays as it is; a term replaces the present one; a ' +
      'field that is not listed here is rejected.',
  )
  @Responds(200, 'The plan as it is now', ChangedPlan)
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
    return { message: 'Plan updated successfully', plan: toPlanDto(plan) };
  }

  @Delete(':id')
  @Describe('Delete a plan', 'Licenses that were issued by it stay as they are.')
  @Responds(204, 'It is deleted')
  @ApiErrors('PLAN_NOT_FOUND')
  deletePlan(@Account() accountId: AccountId, @Param() { id }: IdParam): Promise<void> {
    return this.plans.delete(id, accountId);
  }
}
