import type { Position } from '../../shared/pagination/page.js';

/** A position as a statement takes it. */
export interface PositionRow {
  readonly time: number;
  readonly _id: string;
}

const BEFORE_ALL = { time: Number.MIN_SAFE_INTEGER, _id: '' };
const AFTER_ALL = { time: Number.MAX_SAFE_INTEGER, _id: 'g' };

/** Where a page begins: the first one is asked for like any other, from an end of the list. */
export function startOf(after: Position | undefined, order: 'asc' | 'desc'): PositionRow {
  if (after) return { time: after.time.getTime(), _id: after._id };
  return order === 'asc' ? BEFORE_ALL : AFTER_ALL;
}
