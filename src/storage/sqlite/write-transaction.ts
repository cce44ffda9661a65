import { setTimeout } from 'node:timers/promises';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Waiting } from '../commit-queue.js';
import { ConditionFailed } from './table.js';

/** Time budget of a transaction, in milliseconds: meanwhile nothing else runs. The writes that are left get the next one. */
const BUDGET = 10;
/** Milliseconds until the next attempt while another process writes: meanwhile the event loop serves others. */
const BUSY_PAUSE = 10;

const SQLITE_BUSY = 5;

/** Whether a statement failed because another connection holds the lock that it needs. */
export function isBusy(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  // The upper bits of an extended code give the reason.
  return (errcode & 0xff) === SQLITE_BUSY;
}

export interface Write {
  /**
   * Reads and writes synchronously; a throw undoes what it wrote, and nothing else.
   *
   * @returns how many records a filter has changed
   * @throws ConditionFailed
   */
  readonly run: () => number;
  /** Called after the commit, before anything else runs. */
  readonly committed: () => void;
}

/**
 * Makes writes in one durable transaction, so that one flush of the disk serves many requests. It runs from BEGIN to COMMIT without
 * yielding: nothing is acknowledged, cached or read by others before it is on disk. Each write has a savepoint, so that a failed write
 * undoes no other.
 */
export class WriteTransaction {
  constructor(private readonly database: DatabaseSyncInstance) {}

  /** As {@link MakeBatch}. If the transaction fails, so does each of its writes: the disk may be full. */
  async make(batch: readonly Waiting<Write>[]): Promise<readonly Waiting<Write>[]> {
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

  /** @returns settles the write after the commit */
  private makeOne({ commit, resolve, reject }: Waiting<Write>): () => void {
    this.database.exec('SAVEPOINT one');
    try {
      const affected = commit.run();
      this.database.exec('RELEASE one');
      return () => {
        commit.committed();
        resolve({ ok: true, affected });
      };
    } catch (error) {
      // Some errors, a full disk among them, roll back the whole transaction and end it.
      if (!this.database.isTransaction) throw error;
      this.database.exec('ROLLBACK TO one; RELEASE one');
      if (!(error instanceof ConditionFailed)) return () => reject(error);
      return () => resolve({ ok: false, failed: error.change });
    }
  }
}
