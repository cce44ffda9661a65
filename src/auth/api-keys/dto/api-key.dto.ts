import { ApiProperty } from '@nestjs/swagger';
import { ArrayMinSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import {
  ApiNullableText,
  ApiObjectId,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../../shared/fields/response.decorators.js';
import { IsName, IsTimestamp } from '../../../shared/fields/request.decorators.js';
import { ListOf } from '../../../shared/pagination/page.query.js';
import { WebhookDto } from '../../../webhooks/dto/webhook.response.js';
import { type Scope, SCOPES } from '../../access/operations.js';
import type { ApiKey } from '../api-key.js';

export class CreateApiKeyDto {
  @ApiProperty({
    description: 'What it is for',
    minLength: 1,
    maxLength: 200,
    example: 'Checkout of the web shop',
  })
  @IsName(200)
  name!: string;

  @ApiProperty({
    description: 'What it may do: `write` does not include `read`',
    enum: SCOPES,
    enumName: 'Scope',
    isArray: true,
    minItems: 1,
    maxItems: SCOPES.length,
    example: ['licenses:read', 'licenses:write'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique({ message: '$property must have no value twice' })
  @IsIn(SCOPES, { each: true })
  scopes!: Scope[];

  @IsTimestamp(
    'A time in the future, from which on it is rejected; null or absent: no end',
    '2027-01-31T10:15:00.000Z',
    { nullable: true },
  )
  expiresAt?: Date | null;
}

export class ApiKeyDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ description: 'What it is for', example: 'Checkout of the web shop' })
  name!: string;

  @ApiProperty({
    description: 'What it may do',
    enum: SCOPES,
    enumName: 'Scope',
    isArray: true,
    example: ['licenses:read', 'licenses:write'],
  })
  scopes!: readonly Scope[];

  @ApiProperty({ description: 'The last four characters of its secret', example: 'x7Qa' })
  keyHint!: string;

  @ApiObjectId('The member that created it, who may have been removed since')
  createdBy!: string;

  @ApiTimestamp('When it was created')
  createdAt!: Date;

  @ApiTimestamp('When it expires; null without an end', { nullable: true })
  expiresAt!: Date | null;

  @ApiTimestamp('In which hour it was used last; null before the first use', {
    nullable: true,
    example: '2026-01-31T10:00:00.000Z',
  })
  lastUsedAt!: Date | null;
}

export class ApiKeyListResponse extends ListOf(ApiKeyDto) {}

export class CreatedApiKeyResponse extends WithMessage('API key created successfully') {
  @ApiProperty({ type: ApiKeyDto })
  apiKey!: ApiKeyDto;

  @ApiNullableText(
    'For `Authorization: Bearer`; shown this once, and null where a repeated request gets the first response',
    'lms_…',
  )
  secret!: string | null;
}

export class DeletedApiKey extends WithMessage('API key deleted successfully') {
  @ApiProperty({
    type: [WebhookDto],
    description: 'The webhooks that the API key created, which still work',
  })
  webhooks!: WebhookDto[];
}

export const toApiKeyDto: (apiKey: ApiKey) => ApiKeyDto = toDto(ApiKeyDto);
