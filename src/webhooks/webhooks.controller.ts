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
  DeliveryDetails,
  toDeliveryDetails,
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
    'Sends events of the given types to a URL, signed according to Standard Webhooks. An account can have at most 20. A webhook created by an ' +
      'API key never receives events about accounts, members, API keys and sessions.',
  )
  @Responds(201, 'The new webhook and its secret', CreatedWebhookResponse)
  @ApiErrors('WEBHOOK_QUOTA_REACHED')
  async createWebhook(
    @Caller() caller: Principal,
    @Body() { url, types, description = null }: CreateWebhookDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<CreatedWebhookResponse> {
    const fields = { url, types, description };
    const { webhook, secret } = await this.webhooks.create(caller, fields, idempotency);
    return { message: 'Webhook created', webhook: toWebhookDto(webhook), secret };
  }

  @Get()
  @Describe('List your webhooks', 'All webhooks, newest first.')
  @Responds(200, 'The webhooks', WebhookListResponse)
  async listWebhooks(@Account() accountId: AccountId): Promise<WebhookListResponse> {
    const webhooks = await this.webhooks.list(accountId);
    const recent = await this.webhooks.countRecent(webhooks, accountId);
    const data = webhooks.map((webhook) => ({
      ...toWebhookDto(webhook),
      recentDeliveries: recent(webhook),
    }));
    return { data, nextCursor: null };
  }

  @Get(':id')
  @Describe('Get a webhook', 'Does not include the secret.')
  @Responds(200, 'The webhook', WebhookDto)
  @ApiErrors('WEBHOOK_NOT_FOUND')
  async getWebhook(@Account() accountId: AccountId, @Param() { id }: IdParam): Promise<WebhookDto> {
    return toWebhookDto(await this.webhooks.get(id, accountId));
  }

  @Patch(':id')
  @InWorkClass('webhookUrls')
  @Describe(
    'Update a webhook',
    'Fields you omit keep their values. Disabling a webhook marks its pending deliveries as failed. Once enabled again, it gets only new events. ' +
      'API keys cannot update a webhook created by a member.',
  )
  @Responds(200, 'The updated webhook', ChangedWebhook)
  @ApiErrors('WEBHOOK_NOT_FOUND', 'SESSION_REQUIRED')
  async updateWebhook(
    @Caller() caller: Principal,
    @Param() { id }: IdParam,
    @Body() changes: UpdateWebhookDto,
  ): Promise<ChangedWebhook> {
    const webhook = await this.webhooks.update(id, caller, changes);
    return { message: 'Webhook updated', webhook: toWebhookDto(webhook) };
  }

  @Delete(':id')
  @Describe('Delete a webhook', 'Also deletes its deliveries, so nothing more is sent.')
  @Responds(204, 'Webhook deleted')
  @ApiErrors('WEBHOOK_NOT_FOUND', 'SESSION_REQUIRED')
  deleteWebhook(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<void> {
    return this.webhooks.delete(id, caller);
  }

  @Post(':id/rotate-secret')
  @Describe(
    'Rotate the secret of a webhook',
    'For 24 hours, every message is signed with both secrets, unless `expireOld` is true.',
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
    return { message: 'Webhook secret rotated', secret };
  }

  @Post(':id/test')
  @Describe(
    'Test a webhook',
    'Sends a `webhook.test` event to this webhook, regardless of its event types.',
  )
  @Responds(202, 'Test event queued', TestedWebhook)
  @ApiErrors('WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED')
  async testWebhook(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<TestedWebhook> {
    const event = await this.webhooks.test(id, accountId, idempotency);
    return { message: 'Test event created', event };
  }

  @Get(':id/deliveries')
  @Describe(
    'List the deliveries of a webhook',
    'Paginated, newest first. Deliveries are kept for 30 days.',
  )
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

  @Get(':id/deliveries/:delivery')
  @Describe(
    'Get a delivery with its body and attempts',
    'Every attempt sends these bytes. The last 10 attempts are stored, with the first 256 bytes of each response.',
  )
  @Responds(200, 'The delivery', DeliveryDetails)
  @ApiErrors('WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND')
  async getDelivery(
    @Account() accountId: AccountId,
    @Param() { id, delivery: _id }: DeliveryParams,
  ): Promise<DeliveryDetails> {
    const { delivery, body } = await this.webhooks.getDelivery(_id, id, accountId);
    return toDeliveryDetails(delivery, body);
  }

  @Post(':id/deliveries/:delivery/redeliver')
  @Describe(
    'Send a delivery again',
    'Sends the same id and body again and restarts the retry schedule.',
  )
  @Responds(202, 'The queued delivery', RedeliveredResponse)
  @ApiErrors('WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'WEBHOOK_DISABLED')
  async redeliver(
    @Account() accountId: AccountId,
    @Param() { id, delivery: _id }: DeliveryParams,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<RedeliveredResponse> {
    const delivery = await this.webhooks.redeliver(_id, id, accountId, idempotency);
    return { message: 'Delivery queued', delivery: toDeliveryDto(delivery) };
  }
}
