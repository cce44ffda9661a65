import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { DomainError } from '../../../shared/errors/domain-error.js';
import { requestContext } from '../../../shared/request-context.js';
import { storeUnavailable } from '../../store-unavailable.js';
import { SqliteMetrics } from '../sqlite-metrics.js';

/** Most writes that wait for a batch: far more than there are requests in progress. */
export const MAX_WAITING = 1_024;
/** Time budget of a batch, in milliseconds: meanwhile nothing else runs. The writes that are left get the next one. */
const BATCH_BUDGET = 10;
/** Longest that another process's write is waited for, in milliseconds. */
const BUSY_TIMEOUT = 1_000;
/** Milliseconds until the next attempt, while the event loop serves others. */
const BUSY_PAUSE = 10;

const SQLITE_BUSY = 5;

/** Whether a statement failed because another connection holds the lock that it needs. */
export function isBusy(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  // The upper bits of an extended code give the reason.
  return (errcode & 0xff) === SQLITE_BUSY;
}

interface Write {
  readonly run: () => unknown;
  readonly committed: (() => void) | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** When it was queued, in milliseconds of performance.now(). */
  readonly queuedAt: number;
  /** The deadline of its request, in the same. */
  readonly endsAt: number;
}

/**
 * Lets writes that wait together share one durable commit, so that one flush of the disk serves many
 * requests. A batch runs from BEGIN to COMMIT without yielding: nothing is acknowledged, cached or read
 * by others before it is on disk. Each write has a savepoint, so that a failed
 * write undoes no other.
 */
export class WriteQueue {
  private waiting: Write[] = [];
  private busySince: number | undefined;

  /** @param busyTimeout longest that another process's write is waited for, in milliseconds */
  constructor(
    private readonly database: DatabaseSyncInstance,
    private readonly metrics = new SqliteMetrics(),
    private readonly busyTimeout = BUSY_TIMEOUT,
  ) {
    metrics.waitingWrites(() => this.waiting.length);
  }

  /**
   * Runs a write in the next batch.
   *
   * @param run reads and writes synchronously; a throw undoes what it wrote, and nothing else
   * @param committed called after the commit, before anything else runs
   * @returns its result, once it is durable
   * @throws DomainError STORE_UNAVAILABLE where its request's deadline passes first, or another process
   *   keeps the store for itself; OVERLOADED where too many writes wait
   */
  write<T>(run: () => T, committed?: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.waiting.length >= MAX_WAITING) {
        reject(new DomainError('OVERLOADED', {}, { rejectedBy: 'store_queue' }));
        return;
      }
      if (this.waiting.length === 0) setImmediate(() => this.runBatch());
      this.waiting.push({
        run,
        committed,
        resolve: resolve as (result: unknown) => void,
        reject,
        queuedAt: performance.now(),
        endsAt: requestContext.getStore()?.endsAt ?? Infinity,
      });
    });
  }

  private runBatch(): void {
    this.dropExpired();
    if (this.waiting.length === 0) {
      this.busySince = undefined;
      return;
    }
    const begin = performance.now();
    try {
      this.database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      this.retryOrReject(error);
      return;
    }
    this.busySince = undefined;
    const batch = this.takeAll();
    try {
      const settle: (() => void)[] = [];
      do settle.push(this.runOne(batch[settle.length]!));
      while (settle.length < batch.length && performance.now() - begin < BATCH_BUDGET);
      this.database.exec('COMMIT');
      this.returnToQueue(batch.splice(settle.length));
      settle.forEach((response) => response());
      this.metrics.committed(batch, begin);
    } catch (error) {
      // The whole batch is rolled back, whichever write failed.
      batch.forEach(({ reject }) => reject(error));
      if (this.database.isOpen && this.database.isTransaction) this.database.exec('ROLLBACK');
    }
  }

  private returnToQueue(writes: readonly Write[]): void {
    if (writes.length === 0) return;
    if (this.waiting.length === 0) setImmediate(() => this.runBatch());
    this.waiting = [...writes, ...this.waiting];
  }

  private dropExpired(): void {
    const now = performance.now();
    const expired = this.waiting.filter(({ endsAt }) => endsAt <= now);
    if (expired.length === 0) return;
    this.waiting = this.waiting.filter(({ endsAt }) => endsAt > now);
    expired.forEach(({ reject }) => reject(storeUnavailable('deadline')));
  }

  /** Waits for the lock of another process without blocking the event loop. */
  private retryOrReject(error: unknown): void {
    const now = performance.now();
    this.busySince ??= now;
    if (isBusy(error) && now - this.busySince < this.busyTimeout) {
      setTimeout(() => this.runBatch(), BUSY_PAUSE);
      return;
    }
    this.busySince = undefined;
    const reason = isBusy(error) ? storeUnavailable(error) : error;
    this.takeAll().forEach(({ reject }) => reject(reason));
  }

  private takeAll(): Write[] {
    const all = this.waiting;
    this.waiting = [];
    return all;
  }

  /** Runs one write in its savepoint; returns the callback that settles its promise after the commit. */
  private runOne({ run, committed, resolve, reject }: Write): () => void {
    this.database.exec('SAVEPOINT one');
    try {
      const result = run();
      this.database.exec('RELEASE one');
      return () => {
        committed?.();
        resolve(result);
      };
    } catch (error) {
      // Some errors, a full disk among them, roll back the whole transaction and end it.
      if (!this.database.isTransaction) throw error;
      this.database.exec('ROLLBACK TO one; RELEASE one');
      return () => reject(error);
    }
  }
}
