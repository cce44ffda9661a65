import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import pLimit from 'p-limit';
import { CurrentUser } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { InWorkClass } from '../server/overload/work-class.js';
import { toPageRequest } from '../shared/pagination/page.query.js';
import { MOST_LICENSES } from './dashboard.js';
import { DashboardPresenter } from './dashboard.presenter.js';
import { DashboardService } from './dashboard.service.js';
import { DashboardQuery, SummaryQuery } from './dto/dashboard.query.js';
import { DashboardResponse } from './dto/dashboard.response.js';
import { SummaryResponse, toSummaryResponse } from './dto/summary.response.js';

const LIST = 'dashboard';

/** A page takes about 20 ms of the event loop, in parts. More concurrent pages would only add delay and memory. */
const MAX_CONCURRENT = 2;

@ApiTags('dashboard')
@Controller('dashboard')
export class DashboardController {
  private readonly queue = pLimit(MAX_CONCURRENT);

  constructor(
    private readonly dashboard: DashboardService,
    private readonly presenter: DashboardPresenter,
  ) {}

  @Get()
  @InWorkClass('dashboards')
  @ApiOperation({
    operationId: 'getDashboard',
    summary: 'Your clients with their projects and licenses',
    description:
      'The newest first, a page of clients at a time; the counts are of everything. ' +
      `A page ends early where more clients would bring more than ${MOST_LICENSES} licenses: follow \`nextCursor\`.`,
  })
  @ApiOkResponse({ type: DashboardResponse, description: 'A page of the dashboard' })
  async read(
    @CurrentUser() { accountId }: Principal,
    @Query() query: DashboardQuery,
  ): Promise<DashboardResponse> {
    const filter = { client: query.clientId, search: query.search };
    const request = toPageRequest(query, LIST);
    return this.queue(async () =>
      this.presenter.present(await this.dashboard.read(accountId, filter, request), LIST),
    );
  }

  @Get('summary')
  @ApiOperation({
    operationId: 'getSummary',
    summary: 'Your licenses in numbers',
    description: 'Counted at the moment of the request.',
  })
  @ApiOkResponse({ type: SummaryResponse, description: 'The numbers' })
  async summarize(
    @CurrentUser() { accountId }: Principal,
    @Query() { days }: SummaryQuery,
  ): Promise<SummaryResponse> {
    return toSummaryResponse(await this.dashboard.summarize(accountId, days));
  }
}
