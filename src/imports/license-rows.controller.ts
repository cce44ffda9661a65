import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { Exports } from '../exports/exports.js';
import { LicenseFilterQuery } from '../licenses/dto/license-list.query.js';
import { LicensesService } from '../licenses/licenses.service.js';
import { Describe } from '../openapi/decorators/api-route.js';
import { LicenseRows } from './license-rows.service.js';

@ApiTags('licenses')
@Controller('licenses.ndjson')
export class LicenseRowsController {
  constructor(
    private readonly exports: Exports,
    private readonly licenses: LicensesService,
    private readonly rows: LicenseRows,
  ) {}

  @Get()
  @Describe(
    'Export your licenses with their keys',
    'Exports every license that matches the filters as a row that `POST /licenses/import` accepts, one per line. ' +
      'Machines are exported without fingerprints, because the service stores only hashes. The response is streamed and ' +
      'can take up to 10 minutes. An account can run one ' +
      'export at a time.',
  )
  @ApiResponse({
    status: 200,
    description: 'The licenses, one per line',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  exportLicenseKeys(
    @Caller() caller: Principal,
    @Query() query: LicenseFilterQuery,
  ): StreamableFile {
    let count = 0;
    let isRecorded = false;
    const recordOnce = async () => {
      if (isRecorded) return;
      isRecorded = true;
      await this.rows.recordExport(caller, count);
    };
    const file = this.exports.file(
      caller,
      'licenses.ndjson',
      'application/x-ndjson',
      async (page) => {
        const { data, next } = await this.licenses.list(caller.accountId, query, page);
        const lines = await this.rows.read(data);
        count += lines.length;
        if (!next) await recordOnce();
        return { data: lines, next };
      },
    );
    file.getStream().once('close', () => void recordOnce().catch(() => undefined));
    return file;
  }
}
