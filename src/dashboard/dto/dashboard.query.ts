import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsObjectId } from '../../shared/fields/object-id.decorator.js';
import { TransformToInteger } from '../../shared/fields/transform-text.decorator.js';
import { PageQuery } from '../../shared/pagination/page.query.js';
import { IsSearch } from '../../shared/search/search.decorator.js';
import { MOST_CLIENTS } from '../dashboard.js';

/** The query of GET /dashboard. */
export class DashboardQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'Most clients of a page',
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MOST_CLIENTS,
    default: MOST_CLIENTS,
  })
  // class-validator drops the inherited constraints of a field that is declared again.
  @IsInt()
  @Min(1)
  @Max(MOST_CLIENTS)
  override limit = MOST_CLIENTS;

  @IsOptional()
  @IsObjectId('Only this client', { required: false })
  clientId?: string;

  @IsSearch('Only clients whose name or e-mail address begins with this, in any case')
  search?: string;
}

/** The query of GET /dashboard/summary. */
export class SummaryQuery {
  @ApiPropertyOptional({
    description: 'Days (UTC) whose activations are counted, today included',
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 90,
    default: 30,
  })
  @IsOptional()
  @TransformToInteger()
  @IsInt()
  @Min(1)
  @Max(90)
  days = 30;
}
