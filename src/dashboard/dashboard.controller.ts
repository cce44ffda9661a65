import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { Describe, Responds } from '../openapi/decorators/api-route.js';
import type { AccountId } from '../shared/ids.js';
import { toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { AccountTurns } from '../storage/turns.js';
import { DashboardService, MAX_LICENSES } from './dashboard.service.js';
import {
  DashboardQuery,
  DashboardResponse,
  SummaryQuery,
  SummaryResponse,
} from './dto/dashboard.dto.js';

const LIST = 'dashboard';

/** A page takes about 20 ms of the event loop, in parts. More concurrent pages would only add delay and memory. */
const MAX_CONCURRENT = 2;

@ApiTags('dashboard')
@Controller('dashboard')
export class DashboardController {
  private readonly turns = new AccountTurns(MAX_CONCURRENT);

  constructor(private readonly dashboard: DashboardService) {}

  @Get()
  @Describe(
    'List clients with their projects and licenses',
    'Paginated by client, newest first. The counts always cover everything. ' +
      `A page can contain fewer clients than \`limit\`, so that it has at most ${MAX_LICENSES} licenses. Request pages until \`nextCursor\` is null.`,
  )
  @Responds(200, 'A page of the dashboard', DashboardResponse)
  async getDashboard(
    @Account() accountId: AccountId,
    @Query() query: DashboardQuery,
  ): Promise<DashboardResponse> {
    const request = toPageRequest(query, LIST);
    const [totals, page] = await this.turns.run(accountId, () =>
      Promise.all([
        this.dashboard.totalsOf(accountId),
        this.dashboard.read(accountId, query, request),
      ]),
    );
    return {
      message: 'Dashboard loaded',
      ...totals,
      ...toListResponse(page, LIST, (client) => client),
    };
  }

  @Get('summary')
  @Describe('Get license statistics', 'Counted at the time of the request.')
  @Responds(200, 'The statistics', SummaryResponse)
  getSummary(
    @Account() accountId: AccountId,
    @Query() { days }: SummaryQuery,
  ): Promise<SummaryResponse> {
    return this.dashboard.summarize(accountId, days);
  }
}
