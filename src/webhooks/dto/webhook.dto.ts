import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { ArrayMinSize, ArrayUnique, IsArray, IsIn, IsOptional, ValidateIf } from 'class-validator';
import { TYPE_PATTERNS } from '../../events/dto/event-list.query.js';
import {
  IsObjectId,
  IsPrintable,
  IsText,
  OnlyTrue,
} from '../../shared/fields/request.decorators.js';
import { type Webhook, WEBHOOK_STATUSES } from '../webhook.js';

const TYPES = [...TYPE_PATTERNS, '*'];

/** Body of POST /webhooks. */
export class CreateWebhookDto {
  @ApiProperty({
    description:
      'URL to send events to. Must use `https`, a public host name or IP address, and port 443 or a port of 1024 or higher.',
    minLength: 1,
    maxLength: 2000,
    example: 'https://shop.example.com/hooks/licenses',
  })
  @IsText(1, 2000)
  @IsPrintable()
  url!: string;

  @ApiProperty({
    description: 'Event types to send. Use `license.*` for a whole kind or `*` for all events.',
    enum: TYPES,
    isArray: true,
    minItems: 1,
    maxItems: TYPES.length,
    example: ['license.*'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique({ message: '$property must not contain duplicates' })
  @IsIn(TYPES, { each: true })
  types!: string[];

  @ApiPropertyOptional({
    description: 'What the webhook is for',
    type: String,
    nullable: true,
    maxLength: 200,
    example: 'Order system',
  })
  @IsOptional()
  @IsText(1, 200)
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
