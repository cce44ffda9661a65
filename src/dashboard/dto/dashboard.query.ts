import { IsOptional } from 'class-validator';
import { IsCount } from '../../shared/fields/count.decorator.js';
import { IsObjectId } from '../../shared/fields/object-id.decorator.js';
import { PageQuery } from '../../shared/pagination/page.query.js';
import { IsClientSearch } from '../../shared/search/search.decorator.js';
import { MOST_CLIENTS } from '../dashboard.js';

/** The query of GET /dashboard. */
export class DashboardQuery extends PageQuery {
  // class-validator drops the inherited constraints of a field that is declared again.
  @IsCount('Most clients of a page', MOST_CLIENTS, MOST_CLIENTS)
  override limit = MOST_CLIENTS;

  @IsOptional()
  @IsObjectId('Only this client', { required: false })
  clientId?: string;

  @IsClientSearch()
  search?: string;
}

/** The query of GET /dashboard/summary. */
export class SummaryQuery {
  @IsCount('Days (UTC) whose activations are counted, today included', 90, 30)
  days = 30;
}
