import { toSearchOfList } from '../app/search.js';
import type { ClientSort, SortOrder } from '../api/types.js';

/** The search and the order of the list of clients, as in its address. Without an order, they are newest first. */
export interface ClientFilter {
  readonly search?: string;
  readonly sort?: ClientSort;
  readonly order?: SortOrder;
}

const SORTS: readonly unknown[] = ['createdAt', 'name'] satisfies ClientSort[];
const ORDERS: readonly unknown[] = ['asc', 'desc'] satisfies SortOrder[];

/** Reads the filter in an address and drops what is invalid. */
export const toClientFilter = (search: Record<string, unknown>): ClientFilter => ({
  ...toSearchOfList(search),
  ...(SORTS.includes(search.sort) && { sort: search.sort as ClientSort }),
  ...(ORDERS.includes(search.order) && { order: search.order as SortOrder }),
});
