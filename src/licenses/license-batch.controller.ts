import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { Describe, Responds } from '../openapi/decorators/api-route.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { ChangedLicenses, ChangeLicensesDto } from './dto/license-batch.dto.js';
import { LicenseBatches } from './license-batches.service.js';

@ApiTags('licenses')
@Controller('licenses/batch')
export class LicenseBatchController {
  constructor(private readonly batches: LicenseBatches) {}

  @Post()
  @Describe(
    'Renew, suspend, resume, revoke or update up to 100 licenses',
    'Each item has its own outcome: some licenses may change while others are rejected. `revoke` needs `licenses:revoke` ' +
      'instead of `licenses:suspend`; `update` needs `licenses:write`, and a member needs the role admin. If time runs out, the remaining items get 503 `OVERLOADED`: send the ' +
      'request again with the same `Idempotency-Key`, and only those licenses change.',
  )
  @Responds(200, 'The outcome of each item', ChangedLicenses)
  async changeLicenses(
    @Caller() caller: Principal,
    @Body() { operation, items }: ChangeLicensesDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicenses> {
    return { results: await this.batches.change(caller, operation, items, idempotency) };
  }
}
