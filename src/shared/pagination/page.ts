/** A position in a list: after the record with this sort time and id. */
export interface Position {
  readonly time: Date;
  readonly _id: string;
}

/** Requests a page: at most `limit` records after a position. */
export interface PageRequest {
  readonly limit: number;
  readonly after: Position | undefined;
}

/** A page of records, and the position after which the next one begins; null on the last page. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly next: Position | null;
}

/** The page from the result of a query for `limit` + 1 records. */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  positionOf: (record: T) => Position,
): Page<T> {
  const data = found.slice(0, limit);
  const last = data.at(-1);
  return { data, next: found.length > limit && last ? positionOf(last) : null };
}

/** The position of a record in a list that is sorted by creation. */
export const byCreation = ({ createdAt, _id }: { createdAt: Date; _id: string }): Position => ({
  time: createdAt,
  _id,
});
