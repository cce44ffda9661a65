import type { Collection, FieldOf, Stored } from '../../storage/collection.js';
import type { Filter } from '../../storage/filter.js';
import type { Order, Store } from '../../storage/store.js';

/** A position in a list: after the record with this sort value and id. */
export interface Position {
  readonly value: Date | string;
  readonly _id: string;
}

/** Requests a page: at most `limit` records after a position. */
export interface PageRequest {
  readonly limit: number;
  readonly after: Position | undefined;
  /** Whether to count all records of the list. */
  readonly total?: boolean | undefined;
}

/** A page of records, and the position where the next one starts; null on the last page. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly next: Position | null;
  /** The total number of records in the list, if requested. */
  readonly total?: number;
}

export const NEWEST_FIRST = { by: 'createdAt', direction: 'desc' } as const;
export const OLDEST_FIRST = { by: 'createdAt', direction: 'asc' } as const;

/** The position of a record in a list sorted by one of its times or texts. */
export const positionOf = <R extends Stored>(record: R, by: FieldOf<R>): Position => ({
  value: record[by] as Date | string,
  _id: record._id,
});

/** The page for the result of a query with `limit` + 1 records. */
export function pageOf<R extends Stored>(found: R[], limit: number, by: FieldOf<R>): Page<R> {
  const data = found.slice(0, limit);
  const last = found.length > limit ? data.at(-1) : undefined;
  return { data, next: last ? positionOf(last, by) : null };
}

/** Reads a page of a list, fetching one extra record to detect another page. */
export async function readPage<R extends Stored>(
  store: Store,
  collection: Collection<R>,
  filter: Filter<R>,
  order: Order<R>,
  { limit, after, total }: PageRequest,
): Promise<Page<R>> {
  const [found, counted] = await Promise.all([
    store.list(collection, filter, order, { limit: limit + 1, after }),
    total ? store.count(collection, filter) : undefined,
  ]);
  return withTotal(pageOf(found, limit, order.by), counted);
}

export const emptyPage = <T>({ total }: PageRequest): Page<T> =>
  withTotal({ data: [], next: null }, total ? 0 : undefined);

export const withTotal = <T>(page: Page<T>, total: number | undefined): Page<T> =>
  total === undefined ? page : { ...page, total };
