import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { recordsIn } from '../changes.js';
import { CommitQueue, type PendingCommit } from '../commit-queue.js';
import type { StoreMetrics } from '../store-metrics.js';
import type { Committed } from '../writable-store.js';
import { type Attempt, attempt, type Step } from './attempt.js';
import { isOutage, isTimeExpired, isWriteConflict } from './driver-errors.js';
import { type Operation, stepsOf } from './operation.js';
import { waitForMajority } from './statements.js';

/** Maximum pause before a retry, in milliseconds. Without it, two instances livelock. */
const MAX_PAUSE = 8;
/**
 * After this many conflicts in a row, a killed instance probably holds a record, so commits run one by one.
 * Busy instances normally have fewer conflicts. If they ran commits one by one, the commits would conflict
 * until the deadline.
 */
const MAX_CONFLICTS = 20;

/** How long to keep trying to end a failed transaction, in milliseconds; after that, the server ends it itself. */
const END_FOR = 60_000;
/** Timeout of one attempt, which may open a connection, and pause before the next, in milliseconds. */
const END_TIMEOUT = 5_000;
const END_PAUSE = 50;

type Commit = PendingCommit<readonly Operation[]>;

/**
 * A commit queue with one transaction per batch, in a single session, so the session can be ended if the
 * instance is killed.
 */
export class Transactions {
  private readonly queue: CommitQueue<readonly Operation[]>;
  /** Consecutive batches that conflicted with another instance's transaction. */
  private conflicts = 0;

  constructor(
    private readonly session: mongo.ClientSession,
    private readonly database: mongo.Db,
    metrics: StoreMetrics,
  ) {
    this.queue = new CommitQueue((batch) => this.commitBatch(batch), metrics);
  }

  /** How many commits are waiting. */
  get waiting(): number {
    return this.queue.size;
  }

  /** True if the last attempt hit another instance's transaction; timeouts do not count. */
  get isInConflict(): boolean {
    return this.conflicts > 0;
  }

  /** See {@link CommitQueue.add}. */
  commit(operations: readonly Operation[], endsAt: number): Promise<Committed> {
    return this.queue.add(operations, endsAt, recordsIn(operations.map(({ change }) => change)));
  }

  /** Runs the batch in one transaction. Falls back to one per commit if a condition fails or a commit is a bug. */
  private async commitBatch(batch: readonly Commit[]): Promise<readonly Commit[]> {
    const endsAt = Math.max(...batch.map((commit) => commit.endsAt));
    try {
      const steps = stepsOf(batch.flatMap(({ commit }) => commit));
      const { failed, affected } = await this.transact(steps, endsAt);
      if (!failed) {
        this.conflicts = 0;
        const sum = ({ commit }: Commit) =>
          commit.reduce((count, operation) => count + (affected.get(operation) ?? 0), 0);
        for (const each of batch) each.resolve({ ok: true, affected: sum(each) });
        return [];
      }
    } catch (error) {
      if (isOutage(error) && this.conflicts < MAX_CONFLICTS) return this.retryAfterPause(batch);
    }
    return this.commitEach(batch);
  }

  private async commitEach(batch: readonly Commit[]): Promise<readonly Commit[]> {
    const again: Commit[] = [];
    for (const [index, each] of batch.entries()) {
      const { commit, endsAt, resolve, reject } = each;
      try {
        const steps = commit.map((operation) => [operation]);
        const { failed, affected } = await this.transact(steps, endsAt);
        if (failed) await waitForMajority(failed.documents.driver, failed.id, endsAt);
        const sum = [...affected.values()].reduce((count, one) => count + one, 0);
        resolve(failed ? { ok: false, failed: failed.change } : { ok: true, affected: sum });
      } catch (error) {
        if (!isOutage(error)) reject(error);
        else if (isWriteConflict(error)) again.push(each);
        else return this.retryAfterPause([...again, ...batch.slice(index)]);
      }
    }
    if (again.length > 0) return this.retryAfterPause(again);
    this.conflicts = 0;
    return [];
  }

  private async retryAfterPause(batch: readonly Commit[]): Promise<readonly Commit[]> {
    await setTimeout(randomInt(MAX_PAUSE));
    return batch;
  }

  private async transact(steps: readonly Step[], endsAt: number): Promise<Attempt> {
    try {
      return await attempt(this.database, this.session, steps, endsAt);
    } catch (error) {
      if (this.session.inTransaction()) await this.session.abortTransaction();
      if (isWriteConflict(error)) {
        this.conflicts += 1;
        throw error;
      }
      // A statement that ran out of time may have hit another transaction.
      if (isOutage(error) && !isTimeExpired(error)) this.conflicts = 0;
      await this.endTransaction();
      throw error;
    }
  }

  /**
   * Ends a transaction that the driver failed to abort, because the server would keep its locks for a
   * minute. Starting another in the same session also ends a statement that is still on its way to the
   * server.
   */
  private async endTransaction(): Promise<void> {
    const end = performance.now() + END_FOR;
    while (performance.now() < end) {
      const options = { session: this.session, signal: AbortSignal.timeout(END_TIMEOUT) };
      this.session.startTransaction();
      try {
        await this.database.collection('instances').findOne({}, options);
        return;
      } catch (error) {
        if (!isOutage(error) && !options.signal.aborted) return;
      } finally {
        await this.session.abortTransaction();
      }
      await setTimeout(END_PAUSE, undefined, { ref: false });
    }
  }
}
