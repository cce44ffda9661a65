import type { NamedLimit, RateLimitWindow } from '../../../rate-limits/rate-limit-windows.js';
import type { RateLimitWindowRecord } from './rate-limit-window.js';

/** Milliseconds by which the clocks of two instances may differ. */
const CLOCK_TOLERANCE = 60_000;

/** Milliseconds until a reservation no longer counts: longer than a request lasts by any instance's clock. */
const RESERVATION_EXPIRY = CLOCK_TOLERANCE + 10_000;

/** Expressions that compute the fields of a window from the open one. */
export type WindowChange = Partial<Record<keyof RateLimitWindowRecord, object>>;

/** Whether a window is open. One that ends later than a new one could is from before the clock was set back. */
function isOpen({ endsAt }: { endsAt: Date }, limit: NamedLimit, now: Date): boolean {
  return now < endsAt && endsAt <= latestEnd(limit, now);
}

/** @param record absent where the key has none */
export function toRateLimitWindow(
  record: RateLimitWindowRecord | null | undefined,
  limit: NamedLimit,
  now: Date,
): RateLimitWindow {
  const { hits, reservations, endsAt } = record ?? begun(limit, now);
  const reserved = reservations.filter(({ expiresAt }) => expiresAt > now).length;
  if (!isOpen({ endsAt }, limit, now) || hits + reserved === 0) {
    return { hits: 0, reserved: 0, endsIn: 0 };
  }
  // The clock of the instance that began the window may be ahead.
  const endsIn = Math.min(endsAt.getTime() - now.getTime(), limit.seconds * 1000);
  return { hits, reserved, endsIn };
}

/** The pipeline stage that drops expired reservations of the open window, or begins a new one. */
export function openOrBegin(_id: string, limit: NamedLimit, now: Date) {
  const reservations = {
    $filter: {
      input: { $ifNull: ['$reservations', []] },
      cond: { $gt: ['$$this.expiresAt', now] },
    },
  };
  const isCurrent = {
    $and: [
      { $gt: ['$endsAt', now] },
      { $lte: ['$endsAt', latestEnd(limit, now)] },
      { $gt: [{ $add: ['$hits', { $size: reservations }] }, 0] },
    ],
  };
  const open = { $mergeObjects: ['$$ROOT', { reservations }] };
  return { $replaceWith: { $cond: [isCurrent, open, { _id, ...begun(limit, now) }] } };
}

/**
 * Counts a hit, up to one more than the limit, which marks a window that rejects.
 *
 * @param value counts once
 */
export function oneHit({ requests }: NamedLimit, value: number | undefined): WindowChange {
  const oneMore = { $add: ['$hits', 1] };
  if (value === undefined) return { hits: { $min: [oneMore, requests + 1] } };
  const isNew = {
    $and: [{ $lte: ['$hits', requests] }, { $not: [{ $in: [value, '$values'] }] }],
  };
  return {
    hits: { $cond: [isNew, oneMore, '$hits'] },
    values: { $cond: [isNew, { $concatArrays: ['$values', [value]] }, '$values'] },
  };
}

/** Adds a reservation, unless the window is full. */
export function oneReservation({ requests }: NamedLimit, id: string, now: Date): WindowChange {
  const attempts = { $add: ['$hits', { $size: '$reservations' }] };
  const expiresAt = new Date(now.getTime() + RESERVATION_EXPIRY);
  const added = { $concatArrays: ['$reservations', [{ id, expiresAt }]] };
  return { reservations: { $cond: [{ $lt: [attempts, requests] }, added, '$reservations'] } };
}

const begun = (limit: NamedLimit, now: Date): Omit<RateLimitWindowRecord, '_id'> => ({
  hits: 0,
  reservations: [],
  values: [],
  endsAt: new Date(now.getTime() + limit.seconds * 1000),
});

const latestEnd = ({ seconds }: NamedLimit, now: Date) =>
  new Date(now.getTime() + seconds * 1000 + CLOCK_TOLERANCE);
