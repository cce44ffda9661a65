import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';
import { requestContext } from '../shared/request-context.js';
import type { AnyCollection } from './collection.js';
import type { AnyFilter } from './filter.js';

/** Runs work with the same key one at a time or a few at a time, in order of arrival. Different keys do not wait for each other. */
export class Turns {
  /** One limiter per key with running or waiting work. */
  private readonly keys = new Map<string, LimitFunction>();

  constructor(private readonly concurrency = 1) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turns = this.keys.get(key) ?? pLimit(this.concurrency);
    this.keys.set(key, turns);
    try {
      return await turns(work);
    } finally {
      if (turns.activeCount + turns.pendingCount === 0) this.keys.delete(key);
    }
  }

  /** How much work of a key is running or waiting. */
  of(key: string): { readonly running: number; readonly waiting: number } {
    const { activeCount = 0, pendingCount = 0 } = this.keys.get(key) ?? {};
    return { running: activeCount, waiting: pendingCount };
  }

  /** How much work is waiting. */
  get waiting(): number {
    return [...this.keys.values()].reduce((sum, { pendingCount }) => sum + pendingCount, 0);
  }

  /** How many keys have work. */
  get size(): number {
    return this.keys.size;
  }
}

/** A read that takes more than this many milliseconds is slow. */
const SLOW = 500;
/** Maximum number of accounts remembered because their last read was slow. */
const MAX_REMEMBERED = 10_000;

/**
 * Lets accounts take turns at reads, one at a time each, so an account only delays itself. One turn stays
 * free of accounts whose last read was slow. The limits on requests in progress bound how many wait.
 */
export class AccountTurns {
  private readonly accounts = new Turns();
  /** At most one read per account waits here. */
  private readonly all: LimitFunction;
  private readonly ofSlow: LimitFunction;
  private readonly slow = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  /** @param concurrency maximum number of concurrent reads, at least 2 */
  constructor(concurrency: number) {
    this.all = pLimit(concurrency);
    this.ofSlow = pLimit(concurrency - 1);
  }

  /** How many reads are waiting. */
  get waiting(): number {
    return this.accounts.waiting + this.all.pendingCount + this.ofSlow.pendingCount;
  }

  /** Reads when it is the account's turn. */
  run<T>(account: string, read: () => Promise<T>): Promise<T> {
    const work = () => this.all(() => this.remember(account, read));
    return this.accounts.run(account, () => (this.slow.has(account) ? this.ofSlow(work) : work()));
  }

  /** Remembers whether the read was slow. A quick failure does not count, because its deadline may have been near. */
  private async remember<T>(account: string, read: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    const isSlow = () => performance.now() - begin > SLOW;
    try {
      const result = await read();
      if (!isSlow()) this.slow.delete(account);
      return result;
    } finally {
      if (isSlow()) this.slow.set(account, true);
    }
  }
}

/** The turn of background work, which is not bound to an account. */
const BACKGROUND = 'background';

/** The caller's account or, on public routes, the address. */
export function turnOfCaller(): string {
  const request = requestContext.getStore();
  return request ? (request.principal?.accountId ?? request.address) : BACKGROUND;
}

/** Whose turn a read uses: the account in its filter, otherwise the caller's. */
export function turnOfRead({ account }: AnyCollection, filter: AnyFilter): string {
  const caller = turnOfCaller();
  const named = filter.comparisons.find(([field]) => field === account)?.[1];
  return typeof named === 'string' && caller !== BACKGROUND ? named : caller;
}
