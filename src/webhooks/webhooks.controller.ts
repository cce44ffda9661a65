import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account, Caller, CurrentUser } from '../auth/auth.decorators.js';
import type { Principal, UserPrincipal } from '../auth/principal.js';
import { InWorkClass } from '../http/route-config.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/request.decorators.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { DeliveryListQuery } from './dto/delivery-list.query.js';
import {
  CreateWebhookDto,
  DeliveryParams,
  RotateWebhookSecretDto,
  UpdateWebhookDto,
} from './dto/webhook.dto.js';
import {
  ChangedWebhook,
  CreatedWebhookResponse,
  DeliveryListResponse,
  RedeliveredResponse,
  RotatedWebhookSecret,
  TestedWebhook,
  toDeliveryDto,
  toWebhookDto,
  WebhookDto,
  WebhookListResponse,
} from './dto/webhook.response.js';
import { WebhooksService } from './webhooks.service.js';

const DELIVERIES = 'deliveries';

@ApiTags('webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @InWorkClass('webhookUrls')
  @Describe(
    'Create a webhook',
    'Events of these types are sent to it, signed as Standard Webhooks describes. An account has at most 20. One that an API key creates ' +
      'never gets events of accounts, members, API keys and sessions.',
  )
  @Responds(201, 'The new webhook, with its secret', CreatedWebhookResponse)
  @ApiErrors('WEBHOOK_QUOTA_REACHED')
  async createWebhook(
    @Caller() caller: Principal,
    @Body() { url, types, description = null }: CreateWebhookDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<CreatedWebhookResponse> {
    const fields = { url, types, description };
    const { webhook, secret } = await this.webhooks.create(caller, fields, idempotency);
    return { message: 'Webhook created successfully', webhook: toWebhookDto(webhook), secret };
  }

  @Get()
  @Describe('List the webhooks', 'All of them, the newest first.')
  @Responds(200, 'The webhooks', WebhookListResponse)
  async listWebhooks(@Account() accountId: AccountId): Promise<WebhookListResponse> {
    const webhooks = await this.webhooks.list(accountId);
    return { data: webhooks.map(toWebhookDto), nextCursor: null };
  }

  @Get(':id')
  @Describe('Read a webhook', 'Its secret is not shown again.')
  @Responds(200, 'The webhook', WebhookDto)
  @ApiErrors('WEBHOOK_NOT_FOUND')
  async getWebhook(@Account() accountId: AccountId, @Param() { id }: IdParam): Promise<WebhookDto> {
    return toWebhookDto(await this.webhooks.get(id, accountId));
  }

  @Patch(':id')
  @InWorkClass('webhookUrls')
  @Describe(
    'Change a webhook',
    'What is absent stays as it is. Disabling it fails what is pending; enabling it begins with new events. API keys cannot change ' +
      'a webhook that a member has created.',
  )
  @Responds(200, 'The webhook as it is now', ChangedWebhook)
  @ApiErrors('WEBHOOK_NOT_FOUND', 'SESSION_REQUIRED')
  async updateWebhook(
    @Caller() caller: Principal,
    @Param() { id }: IdParam,
    @Body() changes: UpdateWebhookDto,
  ): Promise<ChangedWebhook> {
    const webhook = await this.webhooks.update(id, caller, changes);
    return { message: 'Webhook updated successfully', webhook: toWebhookDto(webhook) };
  }

  @Delete(':id')
  @Describe('Delete a webhook', 'Its deliveries go with it: nothing more is sent.')
  @Responds(204, 'It is deleted')
  @ApiErrors('WEBHOOK_NOT_FOUND', 'SESSION_REQUIRED')
  deleteWebhook(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<void> {
    return this.webhooks.delete(id, caller);
  }

  @Post(':id/rotate-secret')
  @Describe(
    'Rotate the secret of a webhook',
    'For 24 hours each message is signed with both secrets, unless `expireOld` is true.',
  )
  @Responds(200, 'The new secret', RotatedWebhookSecret)
  @ApiErrors('WEBHOOK_NOT_FOUND')
  async rotateWebhookSecret(
    @CurrentUser() user: UserPrincipal,
    @Param() { id }: IdParam,
    @Body() { expireOld }: RotateWebhookSecretDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<RotatedWebhookSecret> {
    const isLast = expireOld === true;
    const secret = await this.webhooks.rotateSecret(id, user, isLast, idempotency);
    return { message: 'Webhook secret rotated successfully', secret };
  }

  @Post(':id/test')
  @Describe('Test a webhook', 'Sends an event `webhook.test` to this webhook, whatever its types.')
  @Responds(202, 'The event is stored, and will be sent', TestedWebhook)
  @ApiErrors('WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED')
  async testWebhook(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<TestedWebhook> {
    const event = await this.webhooks.test(id, accountId, idempotency);
    return { message: 'Test event created successfully', event };
  }

  @Get(':id/deliveries')
  @Describe('List the deliveries of a webhook', 'The newest first. They are kept for 30 days.')
  @Responds(200, 'A page of deliveries', DeliveryListResponse)
  @ApiErrors('WEBHOOK_NOT_FOUND')
  async listDeliveries(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Query() query: DeliveryListQuery,
  ): Promise<DeliveryListResponse> {
    const page = await this.webhooks.listDeliveries(
      id,
      accountId,
      toPageRequest(query, DELIVERIES),
      query.status,
    );
    return toListResponse(page, DELIVERIES, toDeliveryDto);
  }

  @Post(':id/deliveries/:delivery/redeliver')
  @Describe('Send a delivery again', 'With the same id and body. Its schedule begins anew.')
  @Responds(202, 'The delivery, which will be sent', RedeliveredResponse)
  @ApiErrors('WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'WEBHOOK_DISABLED')
  async redeliver(
    @Account() accountId: AccountId,
    @Param() { id, delivery: _id }: DeliveryParams,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<RedeliveredResponse> {
    const delivery = await this.webhooks.redeliver(_id, id, accountId, idempotency);
    return { message: 'Delivery requested successfully', delivery: toDeliveryDto(delivery) };
  }
}
