import { mongo } from 'mongoose';
import { remainingTime } from '../../shared/request-context.js';
import { DUPLICATE_KEY, isOutage } from './driver-errors.js';
import {
  type FilterOperation,
  isOfRecord,
  type Operation,
  type RecordOperation,
} from './operation.js';
import { runWithDeadline, type StatementOptions } from './statements.js';

/** Operations of one kind on one collection, sent as one command. */
export type Step = readonly Operation[];

/** The outcome of a transaction. */
export interface Attempt {
  /** An operation of the command in which a condition failed; nothing was then committed. */
  readonly failed?: RecordOperation;
  /** The number of records each filter operation changed. */
  readonly affected: ReadonlyMap<Operation, number>;
}

/**
 * Runs operations in one transaction.
 *
 * @param endsAt the deadline, in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE if it has passed
 * @throws MongoError if nothing was changed, or if the session's transaction must be ended
 */
export async function attempt(
  database: mongo.Db,
  session: mongo.ClientSession,
  steps: readonly Step[],
  endsAt: number,
): Promise<Attempt> {
  session.startTransaction({ maxCommitTimeMS: remainingTime(endsAt) });
  const affected = new Map<Operation, number>();
  for (const step of steps) {
    const failed = await runWithDeadline(endsAt, (options) =>
      makeRecords(database, step.filter(isOfRecord), { session, ...options }),
    );
    if (failed) {
      await session.abortTransaction();
      return { failed, affected };
    }
    for (const operation of step) {
      if (isOfRecord(operation)) continue;
      const changed = await runWithDeadline(endsAt, (options) =>
        changeSelected(operation, { session, ...options }),
      );
      affected.set(operation, changed);
    }
  }
  await commit(session, endsAt);
  return { affected };
}

type Options = StatementOptions & { readonly session: mongo.ClientSession };

/** @returns an operation if conditions failed: the one responsible, if known */
async function makeRecords(
  database: mongo.Db,
  operations: readonly RecordOperation[],
  { session, signal, maxTimeMS }: Options,
): Promise<RecordOperation | undefined> {
  const [first] = operations;
  if (!first) return undefined;
  // The driver's bulkWrite wraps network errors in its own.
  const command = { ...commandOf(first, operations), maxTimeMS };
  const reply = (await database.command(command, { session, signal })) as Reply;
  const [error] = reply.writeErrors ?? [];
  if (error && error.code !== DUPLICATE_KEY) throw new mongo.MongoServerError(error);
  if (error) return operations[error.index];
  return reply.n === operations.length ? undefined : first;
}

/** The fields of a write response that are used. */
interface Reply {
  readonly n: number;
  readonly writeErrors?: readonly { readonly index: number; readonly code: number }[];
}

function commandOf(
  { change: { kind, collection } }: RecordOperation,
  operations: readonly RecordOperation[],
): mongo.Document {
  const { name } = collection;
  switch (kind) {
    case 'increment':
    case 'replace':
      return {
        update: name,
        updates: operations.map(({ filter, update }) => ({ q: filter, u: update })),
      };
    case 'remove':
      return { delete: name, deletes: operations.map(({ filter }) => ({ q: filter, limit: 1 })) };
    case 'insert':
      return { insert: name, documents: operations.map(({ update }) => update) };
  }
}

/** Changes the records a filter selects, up to its limit. Returns how many. */
async function changeSelected(
  { change, documents: { driver }, filter, hint, update }: FilterOperation,
  options: Options,
): Promise<number> {
  const { limit } = change;
  // A limit of 0 would mean no limit.
  if (limit < 1) return 0;
  const selection = { projection: { _id: 1 }, limit, ...(hint !== undefined && { hint }) };
  const found = await driver.find(filter, { ...selection, ...options }).toArray();
  const selected = { _id: { $in: found.map(({ _id }) => _id) } };
  if (change.kind === 'removeAll') return (await driver.deleteMany(selected, options)).deletedCount;
  return (await driver.updateMany(selected, update, options)).matchedCount;
}

/** Retries a commit whose outcome is unknown; the server recognizes transactions it has committed. */
async function commit(session: mongo.ClientSession, endsAt: number): Promise<void> {
  for (;;) {
    remainingTime(endsAt);
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!isOutage(error) || isTransient(error)) throw error;
    }
  }
}

const isTransient = (error: unknown) =>
  error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError');
