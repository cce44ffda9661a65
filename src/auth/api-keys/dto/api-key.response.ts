import { ApiProperty } from '@nestjs/swagger';
import {
  ApiNullableText,
  ApiObjectId,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../../shared/fields/response.decorators.js';
import { ListOf } from '../../../shared/pagination/page.query.js';
import { type Scope, SCOPES } from '../../access/scopes.js';
import type { ApiKey } from '../api-key.js';

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

  @ApiTimestamp('In which hour it was used last, a minute late; null before the first use', {
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

export const toApiKeyDto: (apiKey: ApiKey) => ApiKeyDto = toDto(ApiKeyDto);
