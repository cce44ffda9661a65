import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { WithErrorShape } from '../http/route-config.js';
import { DeletionQuery } from '../licenses/dto/license.dto.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/request.decorators.js';
import type { AccountId } from '../shared/ids.js';
import { toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
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

import { ErasedClient, PersonalDataDto, toPersonalDataDto } from './dto/personal-data.response.js';
import { ClientPersonalData } from './personal-data.service.js';

@ApiTags('clients')
@Controller('clients')
export class ClientsController {
  constructor(
    private readonly clients: ClientsService,
    private readonly personalData: ClientPersonalData,
  ) {}

  @Post()
  @WithErrorShape({ unexpected: 'INTERNAL_ERROR' })
  @Describe(
    'Create a client',
    'An email address can belong to only one client, across all accounts. An account that tries too many taken ' +
      'addresses gets 429, whether or not this address is taken.',
  )
  @Responds(201, 'The new client', CreatedClient)
  @ApiErrors(
    'CLIENT_NAME_REQUIRED',
    'CLIENT_EMAIL_REQUIRED',
    'CLIENT_EMAIL_TAKEN',
    'CLIENT_QUOTA_REACHED',
  )
  async createClient(
    @Account() accountId: AccountId,
    @Body() body: CreateClientDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<CreatedClient> {
    const client = await this.clients.create(accountId, body, idempotency);
    return { message: 'Client created', client: toClientDto(client) };
  }

  @Get()
  @Describe('List your clients', 'Paginated. Newest first, unless you sort by name.')
  @Responds(200, 'A page of clients', ClientListResponse)
  async listClients(
    @Account() accountId: AccountId,
    @Query() query: ClientListQuery,
  ): Promise<ClientListResponse> {
    const isByText = query.sort === 'name';
    const by = isByText ? 'searchName' : 'createdAt';
    const direction = query.order ?? (isByText ? 'asc' : 'desc');
    const list = `clients-${query.sort}-${direction}`;
    const request = toPageRequest(query, list, { isByText });
    const page = await this.clients.list(accountId, query, request, { by, direction });
    const counts = query.licensesCount && (await this.clients.countLicenses(page.data, accountId));
    return toListResponse(page, list, (client) => ({
      ...toClientDto(client),
      ...(counts && { licensesCount: counts.get(client._id) ?? 0 }),
    }));
  }

  @Get(':id')
  @Describe('Get a client', 'A client of another account returns 404.')
  @Responds(200, 'The client', ClientDto)
  @ApiErrors('CLIENT_NOT_FOUND')
  async getClient(@Account() accountId: AccountId, @Param() { id }: IdParam): Promise<ClientDto> {
    return toClientDto(await this.clients.get(id, accountId));
  }

  @Patch(':id')
  @Describe(
    'Update a client',
    'Fields you omit keep their values; unknown fields are rejected. An account that tries too many taken addresses ' +
      'gets 429 when it changes an email address. If the account can send mail to clients, this also ' +
      'requires the scope `licenses:write`, and the old address is notified.',
  )
  @Responds(200, 'The updated client', UpdatedClient)
  @ApiErrors(
    'CLIENT_NAME_REQUIRED',
    'CLIENT_EMAIL_REQUIRED',
    'CLIENT_NOT_FOUND',
    'CLIENT_EMAIL_TAKEN',
  )
  async updateClient(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() changes: UpdateClientDto,
  ): Promise<UpdatedClient> {
    const client = await this.clients.update(id, accountId, changes);
    return { message: 'Client updated', client: toClientDto(client) };
  }

  @Delete(':id')
  @Describe(
    'Delete a client',
    'Fails if the client has projects, unless `withLicenses` is true. If so, its projects and their licenses are ' +
      'deleted first. The client can be restored for 30 days. A client with thousands of projects may need several ' +
      'requests: on 503, repeat the request to continue. Keys of deleted ' +
      'licenses are no longer valid.',
  )
  @Responds(204, 'Client deleted')
  @ApiErrors('CLIENT_NOT_FOUND', 'CLIENT_HAS_PROJECTS', 'TOO_MANY_BULK_CHANGES')
  deleteClient(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Query() { withLicenses = false }: DeletionQuery,
  ): Promise<void> {
    return this.clients.delete(id, accountId, withLicenses);
  }

  @Get(':id/personal-data')
  @Describe(
    'Get the personal data of a client',
    'Everything the service stores about the client, so you can respond to a data access request. Also works for a ' +
      'deleted client that the bin or events still mention.',
  )
  @Responds(200, 'The client, and the events and mail about it', PersonalDataDto)
  @ApiErrors('CLIENT_NOT_FOUND')
  async getPersonalData(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
  ): Promise<PersonalDataDto> {
    return toPersonalDataDto(await this.personalData.read(id, accountId));
  }

  @Post(':id/erase')
  @Describe(
    'Erase the personal data of a client',
    'Replaces the name and email address in the client record, its events, webhook deliveries and stored responses. ' +
      'Also deletes mail to the client. ' +
      'Licenses keep working. ' +
      'Cannot be undone. On 503, repeat the request to continue. Also works for a deleted client that the bin or events ' +
      'still mention.',
  )
  @Responds(200, 'The personal data is erased', ErasedClient)
  @ApiErrors('CLIENT_NOT_FOUND')
  async eraseClient(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ErasedClient> {
    await this.personalData.erase(id, accountId, idempotency);
    return { message: 'Personal data erased' };
  }
}
