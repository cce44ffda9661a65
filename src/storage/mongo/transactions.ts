import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { NOT_STORED } from '../collection.js';
import { CommitQueue, type Waiting } from '../commit-queue.js';
import type { StoreMetrics } from '../store-metrics.js';
import type { Committed } from '../writable-store.js';
import { type Attempt, attempt, type Step } from './attempt.js';
import { isOutage, isTimeExpired, isWriteConflict } from './driver-errors.js';
import { type Operation, type RecordOperation, stepsOf } from './operation.js';
import { runUntil } from './statements.js';

/** Longest pause before the next attempt in milliseconds: without it, two instances hold each other up forever. */
const MAX_PAUSE = 8;
/**
 * Conflicts in a row from which on commits are made alone: then a killed instance has a record. Of two instances that are busy, fewer
 * conflicts in a row are no reason: made alone, their commits conflict until their deadline.
 */
const MAX_CONFLICTS = 20;

/** Longest that a failed transaction is tried to be ended on the server, in milliseconds: then the server ends it itself. */
const END_FOR = 60_000;
/** Timeout of one attempt, which may open a connection, and pause before the next, in milliseconds. */
const END_TIMEOUT = 5_000;
const END_PAUSE = 50;

type Commit = Waiting<readonly Operation[]>;

/** A queue of commits, each batch in one transaction. All are made in one session, so that it can be ended if the instance is killed. */
export class Transactions {
  private readonly queue: CommitQueue<readonly Operation[]>;
  /** How many batches have met a transaction of others since the latest success. */
  private conflicts = 0;

  constructor(
    private readonly session: mongo.ClientSession,
    private readonly database: mongo.Db,
    metrics: StoreMetrics,
  ) {
    this.queue = new CommitQueue((batch) => this.make(batch), metrics);
  }

  /** How many commits wait. */
  get waiting(): number {
    return this.queue.size;
  }

  /** Whether the latest batch met a transaction of others. */
  get isInConflict(): boolean {
    return this.conflicts > 0;
  }

  /** As {@link CommitQueue.add}. */
  commit(operations: readonly Operation[], endsAt: number): Promise<Committed> {
    return this.queue.add(operations, endsAt);
  }

  /** In one transaction; each commit alone if a condition does not hold, or one of them is a bug. */
  private async make(batch: readonly Commit[]): Promise<readonly Commit[]> {
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
      if (isOutage(error) && this.conflicts < MAX_CONFLICTS) return this.afterPause(batch);
    }
    return this.makeEach(batch);
  }

  private async makeEach(batch: readonly Commit[]): Promise<readonly Commit[]> {
    const again: Commit[] = [];
    for (const [index, each] of batch.entries()) {
      const { commit, endsAt, resolve, reject } = each;
      try {
        const steps = commit.map((operation) => [operation]);
        const { failed, affected } = await this.transact(steps, endsAt);
        if (failed) await this.waitForMajority(failed, endsAt);
        const sum = [...affected.values()].reduce((count, one) => count + one, 0);
        resolve(failed ? { ok: false, failed: failed.change } : { ok: true, affected: sum });
      } catch (error) {
        if (!isOutage(error)) reject(error);
        else if (isWriteConflict(error)) again.push(each);
        else return this.afterPause([...again, ...batch.slice(index)]);
      }
    }
    if (again.length > 0) return this.afterPause(again);
    this.conflicts = 0;
    return [];
  }

  private async afterPause(batch: readonly Commit[]): Promise<readonly Commit[]> {
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
      // A statement without time may have met another transaction, too.
      if (isOutage(error) && !isTimeExpired(error)) this.conflicts = 0;
      await this.endTransaction();
      throw error;
    }
  }

  /** A write that changes nothing waits, too: then reads find that for which a condition did not hold. */
  private async waitForMajority(
    { documents: { driver }, id }: RecordOperation,
    endsAt: number,
  ): Promise<void> {
    const nothing = { _id: { $eq: id as mongo.ObjectId }, version: NOT_STORED };
    const update = { $set: { version: NOT_STORED } };
    await runUntil(endsAt, (options) => driver.updateOne(nothing, update, options));
  }

  /**
   * Ends a transaction that the driver failed to abort, as the server would keep its locks for a minute: by beginning another one in
   * the session, which also ends a statement that is still on its way to the server.
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
