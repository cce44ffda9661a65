import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentUser } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { WithErrorShape } from '../server/errors/error-body.js';
import { ApiErrors } from '../openapi/decorators/api-errors.decorator.js';
import { IdParams } from '../shared/fields/object-id.decorator.js';
import { toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { ApiIdempotencyKey, Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { ClientsService } from './clients.service.js';
import { ClientListQuery, CreateClientDto, UpdateClientDto } from './dto/client.dto.js';
import {
  ClientDto,
  ClientListResponse,
  CreatedClient,
  toClientDto,
  UpdatedClient,
} from './dto/client.response.js';

const LIST = 'clients';

@ApiTags('clients')
@Controller('clients')
export class ClientsController {
  constructor(private readonly clients: ClientsService) {}

  @Post()
  @WithErrorShape({ unexpected: 'INTERNAL_ERROR' })
  @ApiIdempotencyKey()
  @ApiOperation({
    operationId: 'createClient',
    summary: 'Create a client',
    description:
      'An e-mail address belongs to one client, whoever created it. After too many conflicts of an account ' +
      'it is a 429, whether or not the address is taken.',
  })
  @ApiCreatedResponse({ type: CreatedClient, description: 'The new client' })
  @ApiErrors(
    'CLIENT_NAME_REQUIRED',
    'CLIENT_EMAIL_REQUIRED',
    'CLIENT_EMAIL_TAKEN',
    'CLIENT_QUOTA_REACHED',
  )
  async create(
    @CurrentUser() { accountId }: Principal,
    @Body() body: CreateClientDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<CreatedClient> {
    const client = await this.clients.create(accountId, body, idempotency);
    return { message: 'Client created successfully', client: toClientDto(client) };
  }

  @Get()
  @ApiOperation({
    operationId: 'listClients',
    summary: 'List your clients',
    description: 'The newest first, a page at a time.',
  })
  @ApiOkResponse({ type: ClientListResponse, description: 'A page of clients' })
  async list(
    @CurrentUser() { accountId }: Principal,
    @Query() query: ClientListQuery,
  ): Promise<ClientListResponse> {
    const page = await this.clients.list(accountId, query.search, toPageRequest(query, LIST));
    return toListResponse(page, LIST, toClientDto);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getClient',
    summary: 'Read a client',
    description: "Another user's client is not found.",
  })
  @ApiOkResponse({ type: ClientDto, description: 'The client' })
  @ApiErrors('CLIENT_NOT_FOUND')
  async get(
    @CurrentUser() { accountId }: Principal,
    @Param() { id }: IdParams,
  ): Promise<ClientDto> {
    return toClientDto(await this.clients.get(id, accountId));
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updateClient',
    summary: 'Change a client',
    description:
      'What is absent stays as it is; a field that is not listed here is rejected. After too many conflicts ' +
      'of an account a change of the e-mail address is a 429.',
  })
  @ApiOkResponse({ type: UpdatedClient, description: 'The client as it is now' })
  @ApiErrors(
    'CLIENT_NAME_REQUIRED',
    'CLIENT_EMAIL_REQUIRED',
    'CLIENT_NOT_FOUND',
    'CLIENT_EMAIL_TAKEN',
  )
  async update(
    @CurrentUser() { accountId }: Principal,
    @Param() { id }: IdParams,
    @Body() changes: UpdateClientDto,
  ): Promise<UpdatedClient> {
    const client = await this.clients.update(id, accountId, changes);
    return { message: 'Client updated successfully', client: toClientDto(client) };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteClient',
    summary: 'Delete a client',
    description: 'A client that has projects is kept.',
  })
  @ApiNoContentResponse({ description: 'It is deleted' })
  @ApiErrors('CLIENT_NOT_FOUND', 'CLIENT_HAS_PROJECTS')
  delete(@CurrentUser() { accountId }: Principal, @Param() { id }: IdParams): Promise<void> {
    return this.clients.delete(id, accountId);
  }
}
