import pLimit, { type LimitFunction } from 'p-limit';
import { requestContext } from '../shared/request-context.js';
import type { AnyCollection } from './collection.js';
import type { AnyFilter } from './filter.js';

/** Runs work of the same key one after the other, in order of arrival; work of different keys does not wait. */
export class Turns {
  /** Of each key whose work runs or waits. */
  private readonly keys = new Map<string, LimitFunction>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turns = this.keys.get(key) ?? pLimit(1);
    this.keys.set(key, turns);
    try {
      return await turns(work);
    } finally {
      if (turns.activeCount + turns.pendingCount === 0) this.keys.delete(key);
    }
  }

  /** How much work of a key runs, and how much waits. */
  of(key: string): { readonly running: number; readonly waiting: number } {
    const { activeCount = 0, pendingCount = 0 } = this.keys.get(key) ?? {};
    return { running: activeCount, waiting: pendingCount };
  }

  /** How much work waits. */
  get waiting(): number {
    return [...this.keys.values()].reduce((sum, { pendingCount }) => sum + pendingCount, 0);
  }

  /** How many keys have work. */
  get size(): number {
    return this.keys.size;
  }
}

/**
 * Lets accounts take turns in work that may take long: an account does one piece at a time, so that it takes time from itself alone. The requests
 * in progress of an account and of all bound how many wait.
 */
export class AccountTurns {
  private readonly accounts = new Turns();
  /** An account has one read at most among those that wait here. */
  private readonly all: LimitFunction;

  /** @param concurrency how many read at the same time */
  constructor(concurrency: number) {
    this.all = pLimit(concurrency);
  }

  /** How many reads wait. */
  get waiting(): number {
    return this.accounts.waiting + this.all.pendingCount;
  }

  /** Reads in the turn of an account. */
  run<T>(account: string, read: () => Promise<T>): Promise<T> {
    return this.accounts.run(account, () => this.all(read));
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
