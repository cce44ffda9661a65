import type { Page, PageRequest, Position } from '../../src/shared/pagination/page.js';

const MOST_PAGES = 500;

/** The first page of a list. */
export const firstPage = (limit = 100): PageRequest => ({ limit, after: undefined });

/** Reads a list page by page, and calls `between` before each further page. */
export async function readPages<T>(
  list: (page: PageRequest) => Promise<Page<T>>,
  limit: number,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<T[]> {
  const shown: T[] = [];
  let after: Position | undefined;
  let pages = 0;
  do {
    // A list whose pages repeat must fail, not hang.
    if (++pages > MOST_PAGES) throw new Error(`A list has more than ${MOST_PAGES} pages`);
    const { data, next } = await list({ limit, after });
    expect(data.length).toBeLessThanOrEqual(limit);
    // Only a full page may have a next one.
    if (next) expect(data).toHaveLength(limit);
    shown.push(...data);
    after = next ?? undefined;
    if (after) await between();
  } while (after);
  return shown;
}

/** Sorts records as most lists do: newest first, ties broken by id. */
export function newestFirst<T extends { createdAt: Date; _id: string }>(
  records: readonly T[],
): T[] {
  return records.toSorted((a, b) => +b.createdAt - +a.createdAt || (a._id < b._id ? 1 : -1));
}

export const idsOf = (records: readonly { _id: string }[]): string[] =>
  records.map(({ _id }) => _id);

/** Expects that a list has shown no record twice, and every record that was in it all the time. */
export function expectEachOnce(
  shown: readonly { _id: string }[],
  staying: readonly { _id: string }[],
): void {
  const ids = idsOf(shown);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(idsOf(staying)));
}
