import pLimit, { type LimitFunction } from 'p-limit';
import { requestContext } from '../shared/request-context.js';
import type { AnyCollection } from './collection.js';
import type { AnyFilter } from './filter.js';

/**
 * Lets accounts take turns in reads that may take long: an account reads one at a time, so that it takes time from itself alone. The requests
 * in progress of an account and of all bound how many wait.
 */
export class ReadTurns {
  private readonly all: LimitFunction;
  /** Of the accounts that read or wait. An account has one read at most among those that wait for the turn of all. */
  readonly accounts = new Map<string, LimitFunction>();

  /** @param concurrency how many read at the same time */
  constructor(concurrency: number) {
    this.all = pLimit(concurrency);
  }

  /** How many reads wait. */
  get size(): number {
    const own = [...this.accounts.values()].map(({ pendingCount }) => pendingCount);
    return own.reduce((sum, count) => sum + count, this.all.pendingCount);
  }

  /** Reads in the turn of an account. */
  async run<T>(account: string, read: () => Promise<T>): Promise<T> {
    const own = this.accounts.get(account) ?? pLimit(1);
    this.accounts.set(account, own);
    try {
      return await own(() => this.all(read));
    } finally {
      if (own.activeCount + own.pendingCount === 0) this.accounts.delete(account);
    }
  }
}

/** The turn of work in the background, which waits for no account. */
const BACKGROUND = 'background';

/** Whom a read takes time from: the account that its filter names, else the caller's account, or address on public routes. */
export function readerOf({ account }: AnyCollection, filter: AnyFilter): string {
  const request = requestContext.getStore();
  if (!request) return BACKGROUND;
  const named = filter.comparisons.find(([field]) => field === account)?.[1];
  return typeof named === 'string' ? named : (request.principal?.accountId ?? request.address);
}
