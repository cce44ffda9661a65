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

  @ApiProperty({ description: 'Its name at the time', example: 'Ada Lovelace' })
  name!: string;
}

export class WebhookDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({
    description: 'Where events are sent',
    example: 'https://shop.example.com/hooks/licenses',
  })
  url!: string;

  @ApiProperty({
    description: 'Types of events, and all of a kind',
    type: [String],
    example: ['license.*'],
  })
  types!: readonly string[];

  @ApiNullableText('What it is for', 'Order system')
  description!: string | null;

  @ApiProperty({ enum: WEBHOOK_STATUSES, enumName: 'WebhookStatus', example: 'enabled' })
  status!: Webhook['status'];

  @ApiProperty({
    description:
      'Null while it is enabled. `request`: by the account; `gone`: it responded with 410; `failing`: no success for five days; `backlog`: too much was pending',
    type: String,
    nullable: true,
    enum: [...DISABLED_REASONS, null],
    example: null,
  })
  disabledReason!: DisabledReason | null;

  @ApiProperty({
    description: 'Who created it; the webhook survives its creator',
    type: WebhookCreator,
  })
  createdBy!: Creator;

  @ApiTimestamp('When it was created')
  createdAt!: Date;

  @ApiTimestamp('When it was last changed')
  updatedAt!: Date;

  @ApiTimestamp('The first failed attempt since the last success; null where there is none', {
    nullable: true,
  })
  failingSince!: Date | null;
}

export class WebhookListResponse extends ListOf(WebhookDto) {}

export class ChangedWebhook extends WithMessage('Webhook updated') {
  @ApiProperty({ type: WebhookDto })
  webhook!: WebhookDto;
}

export class CreatedWebhookResponse extends WithMessage('Webhook created') {
  @ApiProperty({ type: WebhookDto })
  webhook!: WebhookDto;

  @ApiNullableText(
    'Verifies its messages; shown this once, and null where a repeated request gets the first response',
    'whsec_…',
  )
  secret!: string | null;
}

export class RotatedWebhookSecret extends WithMessage('Webhook secret rotated') {
  @ApiNullableText(
    'The new secret; shown this once, and null where a repeated request gets the first response',
    'whsec_…',
  )
  secret!: string | null;
}

export class TestedWebhook extends WithMessage('Test event created') {
  @ApiObjectId('The event, which is the `webhook-id` of its message')
  event!: string;
}

export const toWebhookDto: (webhook: ShownWebhook) => WebhookDto = toDto(WebhookDto);

export class DeliveryDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiObjectId('The event, which is the `webhook-id` of the message')
  event!: string;

  @ApiProperty({ enum: EVENT_TYPES, enumName: 'EventType', example: 'license.renewed' })
  type!: EventType;

  @ApiProperty({ enum: DELIVERY_STATUSES, enumName: 'DeliveryStatus', example: 'delivered' })
  status!: Delivery['status'];

  @ApiInteger('Finished attempts since it was created, or requested again', {
    minimum: 0,
    example: 1,
  })
  attempts!: number;

  @ApiTimestamp('The end of the last attempt', { nullable: true })
  lastAttemptAt!: Date | null;

  @ApiInteger('Status of the last response', { nullable: true, example: 200 })
  responseStatus!: number | null;

  @ApiProperty({
    description: 'Why the last attempt has failed',
    type: String,
    nullable: true,
    enum: [...DELIVERY_ERRORS, null],
    example: null,
  })
  error!: DeliveryError | null;

  @ApiTimestamp('Of a pending one', { nullable: true })
  nextAttemptAt!: Date | null;
}

export class DeliveryListResponse extends ListOf(DeliveryDto) {}

export class RedeliveredResponse extends WithMessage('Delivery queued') {
  @ApiProperty({ type: DeliveryDto })
  delivery!: DeliveryDto;
}

export const toDeliveryDto: (delivery: Delivery) => DeliveryDto = toDto(DeliveryDto);
