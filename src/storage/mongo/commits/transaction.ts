import { type ClientSession, mongo } from 'mongoose';
import { CHANGE_ORDER } from '../../changes.js';
import { timeUntil } from '../../deadline.js';
import { DUPLICATE_KEY, isOutage } from '../connection/driver-errors.js';
import { runUntil, type StatementOptions } from '../connection/statement-time.js';
import {
  type FilterOperation,
  isOfRecord,
  merged,
  type Operation,
  type RecordOperation,
} from './operation.js';

/** Operations of one kind on one collection: one command. */
export type Step = readonly Operation[];

/** What came of a transaction: it is committed unless conditions of some operations did not hold. */
export interface Attempt {
  readonly failed: readonly RecordOperation[];
  /** How many records were changed by a filter. */
  readonly affected: number;
}

/** The commands that make operations, in the order of changes; those that share a record are merged. */
export const stepsOf = (operations: readonly Operation[]): Step[] =>
  CHANGE_ORDER.flatMap((kind) => {
    const ofKind = operations.filter(({ change }) => change.kind === kind);
    return groupsOf(ofKind, ({ documents }) => documents.codec.collection.name).map((step) =>
      step.every(isOfRecord) ? groupsOf(step, ({ record }) => record).map(merged) : step,
    );
  });

function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}

/**
 * Makes operations in one transaction.
 *
 * @param endsAt the deadline, in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE where that has passed
 * @throws mongo.MongoError where nothing was changed, or the session's transaction has to be ended
 */
export async function attempt(
  database: mongo.Db,
  session: ClientSession,
  steps: readonly Step[],
  endsAt: number,
): Promise<Attempt> {
  session.startTransaction({ maxCommitTimeMS: timeUntil(endsAt) });
  let affected = 0;
  for (const step of steps) {
    const failed = await runUntil(endsAt, (options) =>
      makeRecords(database, step.filter(isOfRecord), { session, ...options }),
    );
    if (failed.length > 0) {
      await session.abortTransaction();
      return { failed, affected: 0 };
    }
    for (const operation of step) {
      if (isOfRecord(operation)) continue;
      affected += await runUntil(endsAt, (options) =>
        changeSelected(operation, { session, ...options }),
      );
    }
  }
  await commit(session, endsAt);
  return { failed: [], affected };
}

type Options = StatementOptions & { readonly session: ClientSession };

/** @returns the operations whose conditions do not hold */
async function makeRecords(
  database: mongo.Db,
  operations: readonly RecordOperation[],
  options: Options,
): Promise<readonly RecordOperation[]> {
  if (operations.length === 0) return [];
  const { session, signal, maxTimeMS } = options;
  // The driver's bulkWrite hides the errors of the network in errors of its own.
  const command = { ...commandOf(operations), maxTimeMS };
  const reply = (await database.command(command, { session, signal })) as Reply;
  const [error] = reply.writeErrors ?? [];
  if (error?.code === DUPLICATE_KEY) return [operations[error.index]!];
  if (error) throw new mongo.MongoServerError(error);
  return reply.n === operations.length ? [] : findUnmade(operations, options);
}

/** The fields that are read here of the response to a write. */
interface Reply {
  readonly n: number;
  readonly writeErrors?: readonly { readonly index: number; readonly code: number }[];
}

function commandOf(operations: readonly RecordOperation[]): mongo.Document {
  const { change, documents } = operations[0]!;
  const { name } = documents.codec.collection;
  switch (change.kind) {
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

/** The operations of a command that changed nothing, or all of them if that cannot be determined. */
async function findUnmade(
  operations: readonly RecordOperation[],
  { session, ...options }: Options,
): Promise<readonly RecordOperation[]> {
  const [{ change, documents }] = operations as [RecordOperation];
  // What the transaction has removed is still found outside of it.
  const view =
    change.kind === 'remove' ? { readConcern: { level: 'local' } as const } : { session };
  const ids = operations.map(({ id }) => id as mongo.ObjectId);
  const found = await documents.driver
    .find({ _id: { $in: ids } }, { projection: { version: 1 }, ...view, ...options })
    .toArray();
  const versions = new Map(found.map(({ _id, version }) => [String(_id), version as number]));
  const unmade = operations.filter(({ id, change, version }) => {
    const expected = change.kind === 'remove' ? change.before.version : version;
    return versions.get(String(id)) !== expected;
  });
  return unmade.length > 0 ? unmade : operations;
}

/** Changes the records that a filter selects, up to its limit. Returns how many. */
async function changeSelected(
  { change, documents: { driver }, filter, hint, update }: FilterOperation,
  options: Options,
): Promise<number> {
  const { limit } = change;
  // No limit would be one of 0.
  if (limit < 1) return 0;
  const selection = { projection: { _id: 1 }, limit, ...(hint !== undefined && { hint }) };
  const found = await driver.find(filter, { ...selection, ...options }).toArray();
  const selected = { _id: { $in: found.map(({ _id }) => _id) } };
  if (change.kind === 'removeAll') return (await driver.deleteMany(selected, options)).deletedCount;
  return (await driver.updateMany(selected, update, options)).matchedCount;
}

/** Repeats a commit whose outcome is unknown: the server knows which transactions it has committed. */
async function commit(session: ClientSession, endsAt: number): Promise<void> {
  for (;;) {
    timeUntil(endsAt);
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!isOutage(error) || isTransient(error)) throw error;
    }
  }
}

const isTransient = (error: unknown) =>
  error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError');
