import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiErrors, Describe, Responds } from '../../openapi/decorators/api-route.js';
import { IdParam } from '../../shared/fields/request.decorators.js';
import { Idempotency } from '../../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../shared/ids.js';
import { toWebhookDto } from '../../webhooks/dto/webhook.response.js';
import { Account, CurrentUser } from '../auth.decorators.js';
import type { UserPrincipal } from '../principal.js';
import { ApiKeysService } from './api-keys.service.js';
import {
  ApiKeyListResponse,
  CreateApiKeyDto,
  CreatedApiKeyResponse,
  DeletedApiKey,
  toApiKeyDto,
} from './dto/api-key.dto.js';

@ApiTags('access')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Post()
  @Describe(
    'Create an API key',
    'A credential for programs, limited to the scopes you choose. An account can have at most 100. The key keeps working if its creator is removed.',
  )
  @Responds(201, 'The new API key and its secret', CreatedApiKeyResponse)
  @ApiErrors('API_KEY_QUOTA_REACHED')
  async createApiKey(
    @CurrentUser() user: UserPrincipal,
    @Body() { name, scopes, expiresAt = null }: CreateApiKeyDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<CreatedApiKeyResponse> {
    const fields = { name, scopes, expiresAt };
    const { apiKey, secret } = await this.apiKeys.create(user, fields, idempotency);
    return { message: 'API key created', apiKey: toApiKeyDto(apiKey), secret };
  }

  @Get()
  @Describe('List your API keys', 'All API keys, newest first.')
  @Responds(200, 'The API keys', ApiKeyListResponse)
  async listApiKeys(@Account() accountId: AccountId): Promise<ApiKeyListResponse> {
    const apiKeys = await this.apiKeys.list(accountId);
    return { data: apiKeys.map(toApiKeyDto), nextCursor: null };
  }

  @Delete(':id')
  @Describe(
    'Delete an API key',
    'Every instance rejects the key before this response is sent. Webhooks created with it keep working. Delete any ' +
      'you do not recognize.',
  )
  @Responds(200, 'API key deleted', DeletedApiKey)
  @ApiErrors('API_KEY_NOT_FOUND')
  async deleteApiKey(
    @CurrentUser() user: UserPrincipal,
    @Param() { id }: IdParam,
  ): Promise<DeletedApiKey> {
    await this.apiKeys.delete(id, user);
    const webhooks = await this.apiKeys.listWebhooksBy(id, user.accountId);
    return { message: 'API key deleted', webhooks: webhooks.map(toWebhookDto) };
  }
}
