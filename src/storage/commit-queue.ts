import { storeUnavailable } from '../shared/request-context.js';
import { StoreMetrics } from './store-metrics.js';
import { turnOfCaller } from './turns.js';
import type { Committed } from './writable-store.js';

/** Maximum number of commits per batch. */
const MAX_BATCH = 64;
/**
 * Maximum number of records that a batch changes, unless one commit alone changes more. A larger batch may miss every deadline on
 * MongoDB, again and again, and blocks the main thread on SQLite.
 */
const MAX_RECORDS = 1_000;
/** Records that an account changes per round, if more commits wait than fit into a batch. */
const SHARE = 100;

/** A pending commit. */
export interface PendingCommit<T> {
  readonly commit: T;
  /** How many records it changes at most. */
  readonly records: number;
  /** Whose turn it uses. */
  readonly turn: string;
  /** The deadline, in milliseconds of performance.now(). */
  readonly endsAt: number;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Applies a batch of commits and settles each one. An error rejects all commits not settled yet.
 *
 * @returns the commits to retry, in order
 */
type ApplyBatch<T> = (batch: readonly PendingCommit<T>[]) => Promise<readonly PendingCommit<T>[]>;

/**
 * Commits one batch at a time, in order of arrival. Each batch contains everything that arrived during the
 * previous one. If that does not fit, accounts take turns, so that an account only delays itself.
 */
export class CommitQueue<T> {
  private waiting: PendingCommit<T>[] = [];
  private isBusy = false;

  constructor(
    private readonly make: ApplyBatch<T>,
    private readonly metrics = new StoreMetrics(),
  ) {}

  get size(): number {
    return this.waiting.length;
  }

  /**
   * @param endsAt the deadline, in milliseconds of performance.now()
   * @throws DomainError STORE_UNAVAILABLE if the commit is still waiting at the deadline; also the errors
   *   of {@link ApplyBatch}
   */
  async add(commit: T, endsAt: number, records: number): Promise<Committed> {
    const begin = performance.now();
    try {
      return await new Promise<Committed>((resolve, reject) => {
        const turn = turnOfCaller();
        this.waiting.push({ commit, records, turn, endsAt, resolve, reject });
        this.schedule();
      });
    } finally {
      this.metrics.observeDuration('commit', begin);
    }
  }

  private schedule(): void {
    if (this.isBusy || this.waiting.length === 0) return;
    this.isBusy = true;
    // The commits of one tick share a batch.
    setImmediate(() => void this.run());
  }

  private async run(): Promise<void> {
    this.rejectExpired();
    if (this.nextBatchSize() < this.waiting.length) this.sortByRound();
    const batch = this.waiting.splice(0, this.nextBatchSize());
    try {
      if (batch.length > 0) {
        const again = await this.make(batch);
        this.waiting.unshift(...again);
        if (again.length < batch.length) this.metrics.observeBatch(batch.length - again.length);
      }
    } catch (error) {
      batch.forEach(({ reject }) => reject(error));
    }
    this.isBusy = false;
    this.schedule();
  }

  private sortByRound(): void {
    const earlier = new Map<string, number>();
    const rounds = new Map<PendingCommit<T>, number>();
    for (const each of this.waiting) {
      const before = earlier.get(each.turn) ?? 0;
      earlier.set(each.turn, before + each.records);
      rounds.set(each, Math.floor(before / SHARE));
    }
    this.waiting.sort((one, other) => rounds.get(one)! - rounds.get(other)!);
  }

  private nextBatchSize(): number {
    let records = 0;
    const end = this.waiting.findIndex((each, index) => {
      records += each.records;
      return index === MAX_BATCH || (index > 0 && records > MAX_RECORDS);
    });
    return end < 0 ? this.waiting.length : end;
  }

  private rejectExpired(): void {
    const now = performance.now();
    const isLate = ({ endsAt }: PendingCommit<T>) => endsAt <= now;
    this.waiting.filter(isLate).forEach(({ reject }) => reject(storeUnavailable('deadline')));
    this.waiting = this.waiting.filter((each) => !isLate(each));
  }
}
