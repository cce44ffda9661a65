import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ClientSession, mongo } from 'mongoose';
import { NOT_STORED } from '../../collection.js';
import type { Priority } from '../connection/statements.js';
import { isOutage, isTimeExpired, isWriteConflict } from '../connection/driver-errors.js';
import { runUntil } from '../connection/statement-time.js';
import type { Operation, RecordOperation } from './operation.js';
import { attempt, type Attempt, stepsOf } from './transaction.js';

/** Longest pause before the next attempt, in milliseconds: doubled by each attempt, up to a limit. */
const FIRST_PAUSE = 2;
const MAX_PAUSE = 32;

/** Longest that a failed transaction is tried to be ended on the server, in milliseconds: then the server ends it itself. */
const END_FOR = 60_000;
/** Timeout of one attempt, which may open a connection, and pause before the next, in milliseconds. */
const END_TIMEOUT = 5_000;
const END_PAUSE = 50;

/** Operations that are made together or not at all. */
export interface Work {
  readonly operations: readonly Operation[];
  /** The deadline, in milliseconds of performance.now(). */
  readonly endsAt: number;
  /** Whether its latest attempt met a transaction of another instance; but for those that had no time left. */
  isInConflict: boolean;
  /** Fails it if its deadline has passed. */
  isOver(): boolean;
}

/** Runs one transaction at a time, always in the same session, so that there are few to be ended if the instance is killed. */
export class Lane {
  constructor(
    readonly priority: Priority,
    private readonly session: ClientSession,
    private readonly database: mongo.Db,
  ) {}

  /**
   * Makes work in one transaction; again where that conflicts with a transaction of another instance, until the latest
   * deadline.
   */
  async run(batch: readonly Work[]): Promise<Attempt> {
    const endsAt = Math.max(...batch.map((work) => work.endsAt));
    try {
      const attempted = await this.retry(batch, endsAt);
      const [failed] = attempted.failed;
      if (failed && batch.length === 1) await this.waitForMajority(failed, endsAt);
      return attempted;
    } catch (error) {
      await this.endTransaction();
      throw error;
    }
  }

  private async retry(batch: readonly Work[], endsAt: number): Promise<Attempt> {
    for (let maxPause = FIRST_PAUSE; ; maxPause = Math.min(maxPause * 2, MAX_PAUSE)) {
      const inTime = batch.filter((work) => !work.isOver());
      const steps = stepsOf(inTime.flatMap(({ operations }) => operations));
      try {
        return await attempt(this.database, this.session, steps, endsAt);
      } catch (error) {
        if (!isOutage(error)) throw error;
        if (!isTimeExpired(error)) {
          for (const work of inTime) work.isInConflict = isWriteConflict(error);
        }
      }
      if (this.session.inTransaction()) await this.session.abortTransaction();
      await setTimeout(randomInt(maxPause));
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
      if (this.session.inTransaction()) await this.session.abortTransaction();
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
