import { IsSearch } from '../../shared/fields/query.decorators.js';
import { IsOneOf } from '../../shared/fields/value.decorators.js';
import { CountedPageQuery } from '../../shared/pagination/page.query.js';
import { BINNED_KINDS, type BinnedKind } from '../binned.js';

export class BinListQuery extends CountedPageQuery {
  @IsOneOf(BINNED_KINDS, { description: 'Only records of this kind', required: false })
  kind?: BinnedKind;

  @IsSearch(
    'Only records whose name, or email address of a client, contains this (case and accents are ignored)',
    'acme',
  )
  search?: string;
}
