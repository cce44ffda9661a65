import type { Page, PageRequest, Position } from '../src/shared/pagination/page.js';

/** The pages of a list, from the first to the last. */
export async function readPages<T>(
  limit: number,
  read: (page: PageRequest) => Promise<Page<T>>,
): Promise<(readonly T[])[]> {
  const pages: (readonly T[])[] = [];
  for (let after: Position | undefined; ;) {
    const { data, next } = await read({ limit, after });
    pages.push(data);
    if (!next) return pages;
    // A list that never ends must fail, not hang.
    if (pages.length > 2_000) throw new Error('The list does not end');
    after = next;
  }
}
