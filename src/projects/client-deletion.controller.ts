import { Controller, Delete, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { ClientsService } from '../clients/clients.service.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/object-id.decorator.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { DeletionQuery } from './dto/project.dto.js';
import { ProjectsService } from './projects.service.js';

/** The one route of clients that needs their projects. */
@ApiTags('clients')
@Controller('clients')
export class ClientDeletionController {
  constructor(
    private readonly clients: ClientsService,
    private readonly projects: ProjectsService,
  ) {}

  @Delete(':id')
  @Describe(
    'Delete a client',
    'A client that has projects is kept, unless `withLicenses` is true: then their licenses are revoked and they are deleted first, ' +
      'some thousand of them in one request, and a 503 says that a repeat continues. No key of a deleted license is valid.',
  )
  @Responds(204, 'It is deleted')
  @ApiErrors('CLIENT_NOT_FOUND', 'CLIENT_HAS_PROJECTS')
  async deleteClient(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Query() { withLicenses = false }: DeletionQuery,
  ): Promise<void> {
    await this.clients.get(id, accountId);
    if (withLicenses) await this.projects.deleteAllOf(id, accountId);
    await this.clients.delete(id, accountId);
  }
}
