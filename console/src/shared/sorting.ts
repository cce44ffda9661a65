import type { Sorting } from './header-cell.js';

interface Sorted {
  readonly sort: string;
  readonly order: Sorting['order'];
}

interface List<Filter> {
  /** The filter of the same list in another order. */
  readonly filterOf: (sorted: Sorted) => Filter;
  readonly show: (filter: Filter) => void;
  readonly preload: (filter: Filter) => void;
}

/** The order in which a column is sorted first: newest first, otherwise A to Z or soonest first. */
export const firstOrderOf = (sort: string): Sorting['order'] =>
  sort === 'createdAt' ? 'desc' : 'asc';

/** Sorts a list by a column. The same column again reverses the order. */
export function sortingOf<Filter>(
  { sort: by, order }: Sorted,
  { filterOf, show, preload }: List<Filter>,
): Sorting {
  const sortedBy = (sort: string) => {
    const reversed = order === 'asc' ? 'desc' : 'asc';
    return filterOf({ sort, order: sort === by ? reversed : firstOrderOf(sort) });
  };
  return {
    by,
    order,
    onChange: (sort) => show(sortedBy(sort)),
    preload: (sort) => preload(sortedBy(sort)),
  };
}
