import type { AnyCollection } from './collection.js';
import type { AnyFilter } from './filter.js';

/** Starts a read. */
type Start = () => void;

/**
 * Lets accounts take turns in reads that may take long: an account reads one at a time, so that it takes time from itself alone. The requests
 * in progress of an account and of all bound how many wait.
 */
export class ReadTurns {
  /** The waiting reads of each account that is reading, in order of arrival. The accounts are in the order of their turns. */
  private readonly waiting = new Map<string, Start[]>();
  private readonly reading = new Set<string>();

  /** @param concurrency how many read at the same time */
  constructor(private readonly concurrency: number) {}

  /** How many reads wait. */
  get size(): number {
    return [...this.waiting.values()].reduce((count, own) => count + own.length, 0);
  }

  /** Reads in the turn of an account. */
  async run<T>(account: string, read: () => Promise<T>): Promise<T> {
    const turn = this.turn(account);
    if (turn) await turn;
    try {
      return await read();
    } finally {
      this.reading.delete(account);
      this.moveToEnd(account);
      this.startNext();
    }
  }

  private turn(account: string): Promise<void> | undefined {
    if (this.reading.size < this.concurrency && !this.reading.has(account)) {
      this.reading.add(account);
      return undefined;
    }
    const own = this.waiting.get(account) ?? [];
    return new Promise((start) => {
      own.push(start);
      this.waiting.set(account, own);
    });
  }

  private startNext(): void {
    for (const [account, own] of this.waiting) {
      if (this.reading.size >= this.concurrency) return;
      if (this.reading.has(account)) continue;
      const start = own.shift()!;
      if (own.length === 0) this.waiting.delete(account);
      this.reading.add(account);
      start();
    }
  }

  /** After its turn, the other accounts come first. */
  private moveToEnd(account: string): void {
    const own = this.waiting.get(account);
    if (!own) return;
    this.waiting.delete(account);
    this.waiting.set(account, own);
  }
}

/** The account that a read takes time from: the one that its filter names, else all that read the collection. */
export function readerOf({ account, name }: AnyCollection, filter: AnyFilter): string {
  const named = filter.comparisons.find(([field]) => field === account)?.[1];
  return typeof named === 'string' ? named : name;
}
