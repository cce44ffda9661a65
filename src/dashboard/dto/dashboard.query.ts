import { IsCount } from '../../shared/fields/query.decorators.js';
import { IsObjectId } from '../../shared/fields/object-id.decorator.js';
import { PageQuery } from '../../shared/pagination/page.query.js';
import { IsClientSearch } from '../../clients/search.decorator.js';
import { MAX_CLIENTS } from '../dashboard.js';

export class DashboardQuery extends PageQuery {
  // class-validator drops the inherited constraints of a field that is declared again.
  @IsCount('Most clients of a page', MAX_CLIENTS, MAX_CLIENTS)
  override limit = MAX_CLIENTS;

  @IsObjectId('Only this client', { required: false })
  clientId?: string;

  @IsClientSearch()
  search?: string;
}

export class SummaryQuery {
  @IsCount('Days (UTC) whose activations are counted, today included', 90, 30)
  days = 30;
}
