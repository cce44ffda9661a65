import type { Page, PageRequest, Position } from '../../src/shared/pagination/page.js';

const MOST_PAGES = 500;

/** Where a list begins: its first page of this many records. */
export const firstPage = (limit = 100): PageRequest => ({ limit, after: undefined });

/** Follows a list from page to page, and lets something happen between them. */
export async function readPages<T>(
  list: (page: PageRequest) => Promise<Page<T>>,
  limit: number,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<T[]> {
  const shown: T[] = [];
  let after: Position | undefined;
  let pages = 0;
  do {
    // A list that goes round in circles is to fail, not to hang.
    if (++pages > MOST_PAGES) throw new Error(`A list has more than ${MOST_PAGES} pages`);
    const { data, next } = await list({ limit, after });
    expect(data.length).toBeLessThanOrEqual(limit);
    // A next page that is promised has something to go on from.
    if (next) expect(data).toHaveLength(limit);
    shown.push(...data);
    after = next ?? undefined;
    if (after) await between();
  } while (after);
  return shown;
}

/** Sorts records by creation, newest first, ties broken by id: the order of most lists. */
export function newestFirst<T extends { createdAt: Date; _id: string }>(
  records: readonly T[],
): T[] {
  return records.toSorted((a, b) => +b.createdAt - +a.createdAt || (a._id < b._id ? 1 : -1));
}

export const idsOf = (records: readonly { _id: string }[]): string[] =>
  records.map(({ _id }) => _id);
