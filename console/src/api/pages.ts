import type { InfiniteData } from '@tanstack/react-query';

interface Page<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
}

/** The options of a query that reads a list page by page. */
export const byPages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) =>
    nextCursor ?? undefined,
};

/** The rows of all loaded pages. */
export const rowsOf = <Row>({ pages }: InfiniteData<Page<Row>>): Row[] =>
  pages.flatMap(({ data }) => data);
