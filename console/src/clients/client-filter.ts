import { toSearchOfList } from '../app/search.js';
import type { ClientSort, SortOrder } from '../api/types.js';

/** The search and sort order of the client list, as stored in its URL. The default order is newest first. */
export interface ClientFilter {
  readonly search?: string;
  readonly sort?: ClientSort;
  readonly order?: SortOrder;
}

const SORTS: readonly unknown[] = ['createdAt', 'name'] satisfies ClientSort[];
const ORDERS: readonly unknown[] = ['asc', 'desc'] satisfies SortOrder[];

/** Reads the filter from a URL and drops invalid values. */
export const toClientFilter = (search: Record<string, unknown>): ClientFilter => ({
  ...toSearchOfList(search),
  ...(SORTS.includes(search.sort) && { sort: search.sort as ClientSort }),
  ...(ORDERS.includes(search.order) && { order: search.order as SortOrder }),
});
