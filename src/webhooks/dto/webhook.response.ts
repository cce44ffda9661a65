import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../../events/event.js';
import {
  ApiInteger,
  ApiNullableText,
  ApiObjectId,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { ListOf } from '../../shared/pagination/page.query.js';
import {
  type Delivery,
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  type DeliveryError,
} from '../delivery.js';
import {
  type Creator,
  DISABLED_REASONS,
  type DisabledReason,
  type ShownWebhook,
  type Webhook,
  WEBHOOK_STATUSES,
} from '../webhook.js';

export class WebhookCreator {
  @ApiProperty({ enum: ['user', 'api_key'], enumName: 'CreatorType', example: 'user' })
  type!: Creator['type'];

  @ApiObjectId('Object id of the member or the API key')
  id!: string;

  @ApiProperty({ description: 'Name at the time of creation', example: 'Ada Lovelace' })
  name!: string;
}

export class WebhookDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({
    description: 'URL that events are sent to',
    example: 'https://shop.example.com/hooks/licenses',
  })
  url!: string;

  @ApiProperty({
    description: 'Event types that are sent. `license.*` includes every type of that kind.',
    type: [String],
    example: ['license.*'],
  })
  types!: readonly string[];

  @ApiNullableText('What the webhook is for', 'Order system')
  description!: string | null;

  @ApiProperty({ enum: WEBHOOK_STATUSES, enumName: 'WebhookStatus', example: 'enabled' })
  status!: Webhook['status'];

  @ApiProperty({
    description:
      'Null if enabled. `request`: disabled by a member or API key; `gone`: the receiver responded with 410; `failing`: no delivery succeeded for five days; `backlog`: too many deliveries were pending',
    type: String,
    nullable: true,
    enum: [...DISABLED_REASONS, null],
    example: null,
  })
  disabledReason!: DisabledReason | null;

  @ApiProperty({
    description: 'Who created the webhook. It keeps working if its creator is removed.',
    type: WebhookCreator,
  })
  createdBy!: Creator;

  @ApiTimestamp('When it was created')
  createdAt!: Date;

  @ApiTimestamp('When it was last changed')
  updatedAt!: Date;

  @ApiTimestamp('First failed attempt since the last success; null if there is none', {
    nullable: true,
  })
  failingSince!: Date | null;
}

/** The outcomes of a webhook's newest deliveries. */
export class RecentDeliveries {
  @ApiInteger('Deliveries attempted, out of the newest 50', { minimum: 0, example: 50 })
  attempted!: number;

  @ApiInteger('Deliveries that succeeded', { minimum: 0, example: 49 })
  delivered!: number;
}

/** A webhook in a list. */
export class ListedWebhook extends WebhookDto {
  @ApiProperty({ type: RecentDeliveries })
  recentDeliveries!: RecentDeliveries;
}

export class WebhookListResponse extends ListOf(ListedWebhook) {}

export class ChangedWebhook extends WithMessage('Webhook updated', { webhook: WebhookDto }) {}

export class CreatedWebhookResponse extends WithMessage('Webhook created', {
  webhook: WebhookDto,
}) {
  @ApiNullableText(
    'Secret for verifying messages. Shown only once; null if the request is repeated with the same `Idempotency-Key`.',
    'whsec_…',
  )
  secret!: string | null;
}

export class RotatedWebhookSecret extends WithMessage('Webhook secret rotated') {
  @ApiNullableText(
    'The new secret. Shown only once; null if the request is repeated with the same `Idempotency-Key`.',
    'whsec_…',
  )
  secret!: string | null;
}

export class TestedWebhook extends WithMessage('Test event created') {
  @ApiObjectId('Id of the event, sent as `webhook-id`')
  event!: string;
}

export const toWebhookDto: (webhook: ShownWebhook) => WebhookDto = toDto(WebhookDto);

export class DeliveryDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiObjectId('Id of the event, sent as `webhook-id`')
  event!: string;

  @ApiProperty({ enum: EVENT_TYPES, enumName: 'EventType', example: 'license.renewed' })
  type!: EventType;

  @ApiProperty({ enum: DELIVERY_STATUSES, enumName: 'DeliveryStatus', example: 'delivered' })
  status!: Delivery['status'];

  @ApiInteger('Finished attempts since the delivery was created or last sent again', {
    minimum: 0,
    example: 1,
  })
  attempts!: number;

  @ApiTimestamp('When the last attempt ended', { nullable: true })
  lastAttemptAt!: Date | null;

  @ApiInteger('HTTP status of the last response', { nullable: true, example: 200 })
  responseStatus!: number | null;

  @ApiProperty({
    description: 'Why the last attempt failed',
    type: String,
    nullable: true,
    enum: [...DELIVERY_ERRORS, null],
    example: null,
  })
  error!: DeliveryError | null;

  @ApiTimestamp('When the next attempt is due; null unless pending', { nullable: true })
  nextAttemptAt!: Date | null;
}

/** An attempt to deliver, from the connection to the end of the response. */
export class DeliveryAttempt {
  @ApiTimestamp('When it started')
  startedAt!: Date;

  @ApiTimestamp('When it ended')
  endedAt!: Date;

  @ApiInteger('HTTP status of the response; null if there was none', {
    nullable: true,
    example: 500,
  })
  responseStatus!: number | null;

  @ApiNullableText(
    'The beginning of the body of the response; null if there was none, or after the client was erased',
    '{"error":"out of stock"}',
  )
  response!: string | null;

  @ApiProperty({
    description: 'Why it failed',
    type: String,
    nullable: true,
    enum: [...DELIVERY_ERRORS, null],
    example: 'unexpected_status',
  })
  error!: DeliveryError | null;
}

export class DeliveryDetails extends DeliveryDto {
  @ApiProperty({
    description:
      'The last 10 attempts, newest first, including those before it was last sent again',
    type: [DeliveryAttempt],
  })
  attemptLog!: readonly DeliveryAttempt[];

  @ApiProperty({
    description: 'The body of its requests',
    example: '{"type":"license.renewed","timestamp":"2026-01-31T10:15:00.000Z","data":{}}',
  })
  body!: string;
}

export class DeliveryListResponse extends ListOf(DeliveryDto) {}

export class RedeliveredResponse extends WithMessage('Delivery queued', {
  delivery: DeliveryDto,
}) {}

export const toDeliveryDto: (delivery: Delivery) => DeliveryDto = toDto(DeliveryDto);

export const toDeliveryDetails = (delivery: Delivery, body: string): DeliveryDetails => ({
  ...toDeliveryDto(delivery),
  attemptLog: delivery.attemptLog.toReversed(),
  body,
});
