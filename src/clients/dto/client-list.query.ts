import { PageQuery } from '../../shared/pagination/page.query.js';
import { IsSearch } from '../../shared/search/search.decorator.js';

/** The query of GET /clients. */
export class ClientListQuery extends PageQuery {
  @IsSearch('Only clients whose name or e-mail address begins with this, in any case')
  search?: string;
}
