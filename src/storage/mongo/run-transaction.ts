import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type ClientSession, mongo } from 'mongoose';
import { MAX_TIME_EXPIRED } from './outage.js';
import { statementOptions } from './statement-deadline.js';

/** Longest pause before another attempt, in milliseconds: doubled by each attempt, up to a limit. */
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 200;

/**
 * Runs work in a transaction, and again where another one was in conflict with it; asks again for the outcome
 * of a commit that is unknown. As the driver's `withTransaction`, which goes on for two minutes, but begins
 * nothing after the deadline.
 *
 * @param signal rejects at the deadline, with its reason; a commit under way may still succeed then
 * @returns the result of the work, once it is committed
 */
export async function runTransaction<T>(
  tx: ClientSession,
  signal: AbortSignal,
  work: (tx: ClientSession) => Promise<T>,
): Promise<T> {
  for (let longestPause = FIRST_PAUSE; ; longestPause = Math.min(longestPause * 2, LONGEST_PAUSE)) {
    signal.throwIfAborted();
    const { maxTimeMS } = statementOptions() ?? {};
    tx.startTransaction(maxTimeMS === undefined ? {} : { maxCommitTimeMS: maxTimeMS });
    try {
      const result = await work(tx);
      await commit(tx, signal);
      return result;
    } catch (error) {
      if (!hasLabel(error, 'TransientTransactionError')) throw error;
    }
    if (tx.inTransaction()) await tx.abortTransaction();
    await setTimeout(randomInt(longestPause));
  }
}

async function commit(tx: ClientSession, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await tx.commitTransaction();
    } catch (error) {
      if (!hasLabel(error, 'UnknownTransactionCommitResult') || isTooSlow(error)) throw error;
    }
  }
}

const hasLabel = (error: unknown, label: string) =>
  error instanceof mongo.MongoError && error.hasErrorLabel(label);

const isTooSlow = (error: unknown) =>
  error instanceof mongo.MongoServerError &&
  (error.code === MAX_TIME_EXPIRED || writeConcernCode(error) === MAX_TIME_EXPIRED);

const writeConcernCode = (error: mongo.MongoServerError) =>
  (error as { writeConcernError?: { code?: number } }).writeConcernError?.code;
