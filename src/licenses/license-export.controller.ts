import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '../auth/auth.decorators.js';
import { hasScope, type Principal } from '../auth/principal.js';
import { Exports } from '../exports/exports.js';
import { Describe } from '../openapi/decorators/api-route.js';
import type { PageRequest } from '../shared/pagination/page.js';
import { BYTE_ORDER_MARK, CSV_COLUMNS, toCsvLine } from './csv.js';
import { LicenseFilterQuery } from './dto/license-list.query.js';
import { LicenseReader } from './license-reader.js';
import { LicensePresenter } from './license.presenter.js';
import { LicensesService } from './licenses.service.js';

@ApiTags('licenses')
@Controller()
export class LicenseExportController {
  constructor(
    private readonly exports: Exports,
    private readonly licenses: LicensesService,
    private readonly reader: LicenseReader,
    private readonly presenter: LicensePresenter,
  ) {}

  @Get('licenses.csv')
  @Describe(
    'Export your licenses as CSV',
    'Exports every license that matches the filters, without its key. The response is streamed and can take up to 10 minutes. An account can ' +
      'run one export at a time. API keys see email addresses only with `clients:read`.',
  )
  @ApiResponse({
    status: 200,
    description: 'The licenses, one per line',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  exportLicenses(@Caller() caller: Principal, @Query() query: LicenseFilterQuery): StreamableFile {
    const read = async (page: PageRequest) => {
      const { data, next } = await this.licenses.list(caller.accountId, query, page);
      const namesOf = await this.reader.exportedNamesOf(data, hasScope(caller, 'clients:read'));
      const rows = (await this.presenter.presentAll(data)).map((one) => ({
        ...one,
        ...namesOf(one),
      }));
      const lines = rows.map((row) => toCsvLine(CSV_COLUMNS.map((name) => row[name])));
      if (page.after) return { data: lines, next };
      return { data: [BYTE_ORDER_MARK, toCsvLine(CSV_COLUMNS), ...lines], next };
    };
    return this.exports.file(caller, 'licenses.csv', 'text/csv', read);
  }
}
