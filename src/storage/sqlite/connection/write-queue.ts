import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { endOfWork } from '../../../shared/request-context.js';
import { storeUnavailable } from '../../store-unavailable.js';
import { SqliteMetrics } from '../sqlite-metrics.js';

/** Time budget of a batch, in milliseconds: meanwhile nothing else runs. The writes that are left get the next one. */
const BATCH_BUDGET = 10;
/** Milliseconds until the next attempt while another process writes: meanwhile the event loop serves others. */
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
  /** The deadline, in the same. */
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

  constructor(
    private readonly database: DatabaseSyncInstance,
    private readonly metrics = new SqliteMetrics(),
  ) {
    metrics.waitingWrites(() => this.waiting.length);
  }

  /**
   * Runs a write in the next batch.
   *
   * @param run reads and writes synchronously; a throw undoes what it wrote, and nothing else
   * @param committed called after the commit, before anything else runs
   * @returns its result, once it is durable
   * @throws DomainError STORE_UNAVAILABLE at the deadline, which passes where another process keeps the store for itself
   */
  write<T>(run: () => T, committed?: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => this.runBatch());
      this.waiting.push({
        run,
        committed,
        resolve: resolve as (result: unknown) => void,
        reject,
        queuedAt: performance.now(),
        endsAt: endOfWork(),
      });
    });
  }

  private runBatch(): void {
    this.dropExpired();
    if (this.waiting.length === 0) return;
    const begin = performance.now();
    const batch: Write[] = [];
    try {
      this.database.exec('BEGIN IMMEDIATE');
      const settle: (() => void)[] = [];
      do {
        batch.push(this.waiting.shift()!);
        settle.push(this.runOne(batch.at(-1)!));
      } while (this.waiting.length > 0 && performance.now() - begin < BATCH_BUDGET);
      this.database.exec('COMMIT');
      if (this.waiting.length > 0) setImmediate(() => this.runBatch());
      settle.forEach((response) => response());
      this.metrics.committed(batch, begin);
    } catch (error) {
      if (batch.length === 0 && isBusy(error)) setTimeout(() => this.runBatch(), BUSY_PAUSE);
      else this.fail(batch, error);
    }
  }

  private dropExpired(): void {
    const now = performance.now();
    const isExpired = ({ endsAt }: Write) => endsAt <= now;
    this.waiting.filter(isExpired).forEach(({ reject }) => reject(storeUnavailable('deadline')));
    this.waiting = this.waiting.filter((write) => !isExpired(write));
  }

  /** The whole batch is rolled back, whichever write failed: the disk may be full. */
  private fail(batch: readonly Write[], error: unknown): void {
    const failed = [...batch, ...this.waiting];
    this.waiting = [];
    failed.forEach(({ reject }) => reject(error));
    if (this.database.isOpen && this.database.isTransaction) this.database.exec('ROLLBACK');
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
