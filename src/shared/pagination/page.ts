/** Where a list goes on: after the record with this time, by which it is sorted, and id. */
export interface Position {
  readonly time: Date;
  readonly _id: string;
}

/** One page of a list: at most `limit` records, those after a position. */
export interface PageRequest {
  readonly limit: number;
  readonly after: Position | undefined;
}

/** A page of records, and where the next one begins; null on the last. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly next: Position | null;
}

/** The page that a query for one record more than the limit has found. */
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
