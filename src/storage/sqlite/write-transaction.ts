import { setTimeout } from 'node:timers/promises';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { PendingCommit } from '../commit-queue.js';
import { ConditionFailed } from './table.js';

/** Time budget of a transaction, in milliseconds, because nothing else runs in the meantime. Remaining writes get the next one. */
const BUDGET = 10;
/** Retry interval while another process writes, in milliseconds; leaves the event loop free. */
const BUSY_PAUSE = 10;

const SQLITE_BUSY = 5;

/** Whether a statement failed because another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  // The upper bits of an extended code give the reason.
  return (errcode & 0xff) === SQLITE_BUSY;
}

export interface Write {
  /**
   * Reads and writes synchronously; throwing undoes only its own writes.
   *
   * @returns the number of records changed through filters
   * @throws ConditionFailed
   */
  readonly run: () => number;
  /** Called after the commit, before anything else runs. */
  readonly committed: () => void;
}

/**
 * Runs writes in one durable transaction, so that one disk flush serves many requests. Runs from BEGIN to COMMIT without yielding: nothing
 * is acknowledged, cached or readable before it is on disk. Each write has a savepoint, so that a failed write does not undo others.
 */
export class WriteTransaction {
  constructor(private readonly database: DatabaseSyncInstance) {}

  /** See {@link ApplyBatch}. If the transaction fails, all of its writes fail: the disk may be full. */
  async make(batch: readonly PendingCommit<Write>[]): Promise<readonly PendingCommit<Write>[]> {
    const begin = performance.now();
    try {
      this.database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (!isBusy(error)) throw error;
      await setTimeout(BUSY_PAUSE);
      return batch;
    }
    try {
      const settle: (() => void)[] = [];
      do settle.push(this.makeOne(batch[settle.length]!));
      while (settle.length < batch.length && performance.now() - begin < BUDGET);
      this.database.exec('COMMIT');
      settle.forEach((response) => response());
      return batch.slice(settle.length);
    } catch (error) {
      if (this.database.isOpen && this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
  }

  /** @returns a callback that settles the write after the commit */
  private makeOne({ commit, resolve, reject }: PendingCommit<Write>): () => void {
    this.database.exec('SAVEPOINT one');
    try {
      const affected = commit.run();
      this.database.exec('RELEASE one');
      return () => {
        commit.committed();
        resolve({ ok: true, affected });
      };
    } catch (error) {
      // Some errors, such as a full disk, roll back and end the whole transaction.
      if (!this.database.isTransaction) throw error;
      this.database.exec('ROLLBACK TO one; RELEASE one');
      if (!(error instanceof ConditionFailed)) return () => reject(error);
      return () => resolve({ ok: false, failed: error.change });
    }
  }
}
