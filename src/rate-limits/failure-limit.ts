import {
  type RateLimitStatus,
  tooManyRequests,
  toRateLimitStatus,
  toSeconds,
} from './rate-limit-status.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type {
  NamedLimit,
  RateLimitWindow,
  RateLimitWindows,
  Reservation,
} from './rate-limit-windows.js';
import type { Clock } from '../shared/time/clock.js';

/** Limits the failed attempts of each key; a limit of 0 requests is off. */
export class FailureLimit {
  constructor(
    private readonly limit: NamedLimit,
    private readonly windows: RateLimitWindows,
    private readonly clock: Clock,
  ) {}

  /** Attempts in progress are counted. Undefined where the limit is off. */
  async status(key: string): Promise<RateLimitStatus | undefined> {
    if (this.limit.requests === 0) return undefined;
    const { hits, reserved, endsIn } = await this.peek(key);
    return toRateLimitStatus(this.limit, hits + reserved, endsIn);
  }

  /**
   * As {@link status}.
   *
   * @throws DomainError TOO_MANY_REQUESTS where the limit is reached
   */
  async check(key: string): Promise<RateLimitStatus | undefined> {
    if (this.limit.requests === 0) return undefined;
    const window = await this.peek(key);
    const { hits, reserved, endsIn } = window;
    const attempts = hits + reserved;
    if (attempts >= this.limit.requests) throw tooManyRequests(this.limit, this.waitFor(window));
    return toRateLimitStatus(this.limit, attempts, endsIn);
  }

  /**
   * Makes an attempt. It is counted as a failure in advance, so that concurrent guesses cannot exceed the limit, and
   * uncounted unless it fails.
   *
   * @param attempt resolves to null where it fails
   * @param onLockout called once a window, when a failure reaches the limit
   * @throws DomainError TOO_MANY_REQUESTS; then the attempt is neither made nor counted
   */
  async run<T>(
    key: string,
    attempt: () => Promise<T | null>,
    onLockout: () => void,
  ): Promise<T | null> {
    if (this.limit.requests === 0) return attempt();
    const { window, settle } = await this.windows.reserve(this.limit, key, this.clock.now());
    if (!settle) {
      const retryAfter = toSeconds(this.waitFor(window));
      const { name: rejectedBy } = this.limit;
      throw new DomainError('TOO_MANY_REQUESTS', {}, { rejectedBy, retryAfter });
    }
    let result: T | null;
    try {
      result = await attempt();
    } catch (error) {
      await uncount(settle, this.clock.now());
      throw error;
    }
    if (result !== null) await uncount(settle, this.clock.now());
    else if ((await settle(true, this.clock.now())) === this.limit.requests) onLockout();
    return result;
  }

  /** Counts a failure. False where the limit was reached before, and it is not counted. */
  async count(key: string): Promise<boolean> {
    if (this.limit.requests === 0) return true;
    const { settle } = await this.windows.reserve(this.limit, key, this.clock.now());
    await settle?.(true, this.clock.now());
    return settle !== undefined;
  }

  private peek(key: string): Promise<RateLimitWindow> {
    return this.windows.peek(this.limit, key, this.clock.now());
  }

  /** Milliseconds until a full window may have room: where attempts in progress fill it, as soon as one succeeds. */
  private waitFor({ hits, endsIn }: RateLimitWindow): number {
    return hits < this.limit.requests ? 1_000 : endsIn;
  }
}

/** A reservation that cannot be taken back expires by itself. */
async function uncount(settle: NonNullable<Reservation['settle']>, now: Date): Promise<void> {
  await settle(false, now).catch(() => undefined);
}
