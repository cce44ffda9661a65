import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { Describe } from '../openapi/decorators/api-route.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { LicenseFilterQuery, toLicenseQuery } from './dto/license-list.query.js';
import { LicenseExport } from './license-export.service.js';

@ApiTags('licenses')
@Controller()
export class LicenseExportController {
  constructor(private readonly exports: LicenseExport) {}

  @Get('licenses.csv')
  @Describe(
    'Export your licenses as CSV',
    'All that the filters select, without their keys. One export at a time; a page of it is read once you have taken the one ' +
      'before.',
  )
  @ApiResponse({
    status: 200,
    description: 'The licenses, one a line',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  exportLicenses(
    @Account() accountId: AccountId,
    @Query() query: LicenseFilterQuery,
  ): StreamableFile {
    return new StreamableFile(this.exports.stream(accountId, toLicenseQuery(query)), {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="licenses.csv"',
    });
  }
}
