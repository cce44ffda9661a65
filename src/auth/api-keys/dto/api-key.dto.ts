import { ApiProperty } from '@nestjs/swagger';
import {
  ApiNullableText,
  ApiObjectId,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../../shared/fields/response.decorators.js';
import { IsName, IsTimestamp } from '../../../shared/fields/request.decorators.js';
import { AreSomeOf } from '../../../shared/fields/value.decorators.js';
import { ListOf } from '../../../shared/pagination/page.query.js';
import { WebhookDto } from '../../../webhooks/dto/webhook.response.js';
import { type Scope, SCOPES } from '../../access/operations.js';
import type { ApiKey } from '../api-key.js';

export class CreateApiKeyDto {
  @IsName(200, { description: 'What the key is for', example: 'Checkout of the web shop' })
  name!: string;

  @AreSomeOf(SCOPES, {
    description: 'What the key is allowed to do. `write` does not include `read`.',
    enumName: 'Scope',
    example: ['licenses:read', 'licenses:write'],
  })
  scopes!: Scope[];

  @IsTimestamp(
    'When the key expires. Must be in the future. Omit it or send null for a key that never expires.',
    '2027-01-31T10:15:00.000Z',
    { nullable: true },
  )
  expiresAt?: Date | null;
}

export class ApiKeyDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ description: 'What the key is for', example: 'Checkout of the web shop' })
  name!: string;

  @ApiProperty({
    description: 'What the key is allowed to do',
    enum: SCOPES,
    enumName: 'Scope',
    isArray: true,
    example: ['licenses:read', 'licenses:write'],
  })
  scopes!: readonly Scope[];

  @ApiProperty({ description: 'Last four characters of the secret', example: 'x7Qa' })
  keyHint!: string;

  @ApiObjectId('The member who created the key, even if removed since')
  createdBy!: string;

  @ApiTimestamp('Time of creation')
  createdAt!: Date;

  @ApiTimestamp('When the key expires; null if never', { nullable: true })
  expiresAt!: Date | null;

  @ApiTimestamp('When the key was last used, to the hour; null if never', {
    nullable: true,
    example: '2026-01-31T10:00:00.000Z',
  })
  lastUsedAt!: Date | null;
}

export class ApiKeyListResponse extends ListOf(ApiKeyDto) {}

export class CreatedApiKeyResponse extends WithMessage('API key created', { apiKey: ApiKeyDto }) {
  @ApiNullableText(
    'Send it in the `Authorization: Bearer` header. Shown only once; null if the request is repeated with the same `Idempotency-Key`.',
    'lms_…',
  )
  secret!: string | null;
}

export class DeletedApiKey extends WithMessage('API key deleted') {
  @ApiProperty({
    type: [WebhookDto],
    description: 'Webhooks created with this API key; they keep working',
  })
  webhooks!: WebhookDto[];
}

export const toApiKeyDto: (apiKey: ApiKey) => ApiKeyDto = toDto(ApiKeyDto);
