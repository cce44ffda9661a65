import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type ClientSession, mongo } from 'mongoose';
import { MAX_TIME_EXPIRED } from './driver-errors.js';
import { statementOptions } from './statement-deadline.js';

/** Longest pause before the next attempt, in milliseconds: doubled by each attempt, up to a limit. */
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 200;

/**
 * Runs work in a transaction, and again where it conflicted with another one. A commit whose outcome is unknown is
 * repeated. As the driver's `withTransaction`, which goes on for two minutes, but it begins nothing after the deadline.
 *
 * @param signal aborts at the deadline; a commit under way may still succeed then
 * @returns the result of the work, once it is committed
 */
export async function runTransaction<T>(
  session: ClientSession,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let longestPause = FIRST_PAUSE; ; longestPause = Math.min(longestPause * 2, LONGEST_PAUSE)) {
    signal.throwIfAborted();
    const { maxTimeMS } = statementOptions() ?? {};
    session.startTransaction(maxTimeMS === undefined ? {} : { maxCommitTimeMS: maxTimeMS });
    try {
      const result = await work();
      await commit(session, signal);
      return result;
    } catch (error) {
      if (!hasLabel(error, 'TransientTransactionError')) throw error;
    }
    if (session.inTransaction()) await session.abortTransaction();
    await setTimeout(randomInt(longestPause));
  }
}

async function commit(session: ClientSession, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await session.commitTransaction();
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
