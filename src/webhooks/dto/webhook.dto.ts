import { ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { IsIn, ValidateIf } from 'class-validator';
import { TYPE_PATTERNS } from '../../events/dto/event-list.query.js';
import { IsObjectId, IsPrintable, IsText } from '../../shared/fields/request.decorators.js';
import { OnlyTrue, AreSomeOf } from '../../shared/fields/value.decorators.js';
import { type Webhook, WEBHOOK_STATUSES } from '../webhook.js';

const TYPES = [...TYPE_PATTERNS, '*'];

/** Body of POST /webhooks. */
export class CreateWebhookDto {
  @IsText(1, 2000, {
    description:
      'URL to send events to. Must use `https`, a public host name or IP address, and port 443 or a port of 1024 or higher.',
    example: 'https://shop.example.com/hooks/licenses',
  })
  @IsPrintable()
  url!: string;

  @AreSomeOf(TYPES, {
    description: 'Event types to send. Use `license.*` for a whole kind or `*` for all events.',
    example: ['license.*'],
  })
  types!: string[];

  @IsText(1, 200, {
    description: 'What the webhook is for',
    example: 'Order system',
    nullable: true,
    required: false,
  })
  description?: string | null;
}

/** Body of PATCH /webhooks/:id; absent fields are not changed. */
export class UpdateWebhookDto extends PartialType(CreateWebhookDto, { skipNullProperties: false }) {
  @ApiPropertyOptional({
    description: '`enabled` starts sending new events',
    enum: WEBHOOK_STATUSES,
    enumName: 'WebhookStatus',
    example: 'enabled',
  })
  @ValidateIf((body: UpdateWebhookDto) => body.status !== undefined)
  @IsIn(WEBHOOK_STATUSES)
  status?: Webhook['status'];
}

/** Body of POST /webhooks/:id/rotate-secret. */
export class RotateWebhookSecretDto {
  @OnlyTrue('Set to true to stop signing with the old secret immediately')
  expireOld?: true;
}

export class DeliveryParams {
  @IsObjectId('Object id of the webhook')
  id!: string;

  @IsObjectId('Object id of the delivery')
  delivery!: string;
}
