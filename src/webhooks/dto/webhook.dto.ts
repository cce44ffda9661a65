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
      'Where events are sent: `https`, with a public name or address, and the port 443 or one from 1024 on',
    minLength: 1,
    maxLength: 2000,
    example: 'https://shop.example.com/hooks/licenses',
  })
  @IsText(1, 2000)
  @IsPrintable()
  url!: string;

  @ApiProperty({
    description: 'Types of events, all of a kind such as `license.*`, or `*` for all',
    enum: TYPES,
    isArray: true,
    minItems: 1,
    maxItems: TYPES.length,
    example: ['license.*'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique({ message: '$property must have no value twice' })
  @IsIn(TYPES, { each: true })
  types!: string[];

  @ApiPropertyOptional({
    description: 'What it is for',
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
    description: '`enabled` begins anew, with new events',
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
  @OnlyTrue('Nothing is signed with the former secret from now on')
  expireOld?: true;
}

export class DeliveryParams {
  @IsObjectId('Object id of the webhook')
  id!: string;

  @IsObjectId('Object id of the delivery')
  delivery!: string;
}
