import type { Config, Limit, Limits } from '../shared/config/config.js';

/** Names a limit. Failed logins from known addresses and in sessions are counted apart from those of strangers. */
export type RateLimitName = keyof Limits | 'loginFromKnownAddress' | 'loginInSession';

/** A limit with the name under which its hits are counted. */
export interface NamedLimit extends Limit {
  readonly name: RateLimitName;
}

export const namedLimit = ({ limits }: Config, name: keyof Limits): NamedLimit => ({
  name,
  ...limits[name],
});

/** The open window of a key; zeros where none is open. */
export interface RateLimitWindow {
  /** Counted hits, without reservations; more than the limit where a hit was rejected. */
  readonly hits: number;
  /** Reservations that have not been settled. */
  readonly reserved: number;
  /** Milliseconds until it ends. */
  readonly endsIn: number;
}

/** An attempt that is counted before it is made, or that a full window rejects. */
export interface Reservation {
  /** The window, with the reservation if there was room for it. */
  readonly window: RateLimitWindow;
  /**
   * To be called once, with the outcome: a failure becomes a hit, anything else leaves no trace. Undefined where the
   * window is full.
   *
   * @returns the hits of the reservation's window; 0 where it has ended
   */
  readonly settle: ((hasFailed: boolean, now: Date) => Promise<number>) | undefined;
}

/**
 * Counts the hits of each key in fixed windows that begin with its first hit. Instances that share a store count
 * together. A rejected hit neither counts nor lengthens the window.
 *
 * @throws DomainError STORE_UNAVAILABLE, OVERLOADED: a request that cannot be counted is rejected
 */
export abstract class RateLimitWindows {
  abstract peek(limit: NamedLimit, key: string, now: Date): Promise<RateLimitWindow>;

  /**
   * Counts a hit in one atomic step. The hit is rejected where the window has more hits than the limit afterwards.
   *
   * @param value counts once, however often it hits. Once a value is rejected, all are until the window ends
   */
  abstract hit(limit: NamedLimit, key: string, now: Date, value?: number): Promise<RateLimitWindow>;

  /** Counts an attempt before it is made, in one atomic step, unless hits and reservations fill the window. */
  abstract reserve(limit: NamedLimit, key: string, now: Date): Promise<Reservation>;
}
