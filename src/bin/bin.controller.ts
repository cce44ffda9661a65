import { Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/request.decorators.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { BinListQuery } from './dto/bin.query.js';
import { BinListResponse, RestoredRecord, toBinEntryDto } from './dto/bin.response.js';
import { Restores } from './restores.service.js';

const LIST = 'bin';

@ApiTags('bin')
@Controller('bin')
export class BinController {
  constructor(private readonly restores: Restores) {}

  @Get()
  @Describe(
    'List deleted records',
    'The clients and projects deleted in the last 30 days, most recent first. The licenses of a project are restored with it. A license is ' +
      'listed by itself if it could not be restored with its project because another license has its key or external id.',
  )
  @Responds(200, 'A page of deleted records', BinListResponse)
  async listBin(
    @Account() accountId: AccountId,
    @Query() query: BinListQuery,
  ): Promise<BinListResponse> {
    const page = await this.restores.list(accountId, query, toPageRequest(query, LIST));
    return toListResponse(page, LIST, toBinEntryDto);
  }

  @Post(':id/restore')
  @Describe(
    'Restore a deleted record',
    'A client comes back with the projects deleted with it, and a project with its licenses. Restoring many licenses takes a ' +
      'few minutes. On 503, repeat the request to continue. Fails if another record now has one of its unique values, ' +
      'or if its client or project is deleted.',
  )
  @Responds(200, 'The record is restored', RestoredRecord)
  @ApiErrors(
    'BIN_ENTRY_NOT_FOUND',
    'PARENT_DELETED',
    'CLIENT_EMAIL_TAKEN',
    'LICENSE_EXISTS',
    'KEY_TAKEN',
    'CLIENT_QUOTA_REACHED',
    'PROJECT_QUOTA_REACHED',
    'LICENSE_QUOTA_REACHED',
    'TOO_MANY_BULK_CHANGES',
  )
  async restore(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<RestoredRecord> {
    const kind = await this.restores.restore(id, accountId, idempotency);
    return { message: 'Restored', kind, _id: id };
  }

  @Delete(':id')
  @Describe(
    'Erase a deleted record',
    'Neither the record nor, for a project, its licenses can be restored afterwards. To erase the personal data of a ' +
      'client, use POST ' +
      '/clients/:id/erase.',
  )
  @Responds(204, 'The record is erased')
  @ApiErrors('BIN_ENTRY_NOT_FOUND', 'TOO_MANY_BULK_CHANGES')
  eraseFromBin(@Account() accountId: AccountId, @Param() { id }: IdParam): Promise<void> {
    return this.restores.erase(id, accountId);
  }
}
