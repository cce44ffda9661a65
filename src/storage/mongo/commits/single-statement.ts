import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type ClientSession, mongo } from 'mongoose';
import type { Committed } from '../../store.js';
import { DUPLICATE_KEY, isOutage } from '../connection/driver-errors.js';
import type { StatementOptions, StatementTime } from '../connection/statement-deadline.js';
import type { Statements } from '../connection/statements.js';
import { allOf } from '../documents/filters.js';
import {
  type FilterOperation,
  isOfRecord,
  type Operation,
  type RecordOperation,
} from './operation.js';

/** Longest pause before a statement is repeated, in milliseconds. */
const MAX_PAUSE = 50;

type Options = StatementOptions & { readonly session?: ClientSession };

/**
 * Makes the one operation of a commit, without a transaction. A statement whose outcome is unknown is repeated; afterwards the
 * version of the record tells whether it was made.
 */
export async function makeAlone(
  operation: Operation,
  statements: Statements,
  time: StatementTime,
): Promise<Committed> {
  const send = <T>(statement: (options: StatementOptions) => Promise<T>) =>
    untilKnown(time, () => statements.send(time, statement));
  if (!isOfRecord(operation)) {
    const { outcome: ids } = await send((options) => findSelected(operation, options));
    const changed = await send((options) => changeSelected(operation, ids, options));
    return { ok: true, affected: changed.isRepeated ? ids.length : changed.outcome };
  }
  const { outcome: isMade, isRepeated } = await send((options) => makeRecord(operation, options));
  if (isMade) return { ok: true, affected: 0 };
  // The repeated write has waited until a majority has what it found.
  const wasMade = isRepeated && (await send((options) => isDone(operation, options))).outcome;
  return wasMade ? { ok: true, affected: 0 } : { ok: false, failed: operation.change };
}

/** Repeats a statement until its outcome is known. */
async function untilKnown<T>(
  { signal }: StatementTime,
  statement: () => Promise<T>,
): Promise<{ readonly outcome: T; readonly isRepeated: boolean }> {
  for (let isRepeated = false; ; isRepeated = true) {
    signal.throwIfAborted();
    try {
      return { outcome: await statement(), isRepeated };
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
    await setTimeout(randomInt(1, MAX_PAUSE));
  }
}

/** Whether the condition of an operation held. */
async function makeRecord(
  { change, documents: { driver }, filter, update }: RecordOperation,
  options: StatementOptions,
): Promise<boolean> {
  try {
    if (change.kind === 'remove') return (await driver.deleteOne(filter, options)).deletedCount > 0;
    if (change.kind !== 'insert') {
      return (await driver.updateOne(filter, update, options)).matchedCount > 0;
    }
    await driver.insertOne(update, options);
    return true;
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY) return false;
    throw error;
  }
}

async function isDone(
  { change, documents: { driver }, id, version }: RecordOperation,
  options: StatementOptions,
): Promise<boolean> {
  const found = await driver.findOne({ _id: { $eq: id as mongo.ObjectId } }, options);
  return change.kind === 'remove' ? !found : found?.version === version;
}

/** Changes the records that a filter selects, up to its limit. Returns how many. */
export async function makeSelected(operation: FilterOperation, options: Options): Promise<number> {
  return changeSelected(operation, await findSelected(operation, options), options);
}

async function findSelected(
  { change: { limit }, documents: { driver }, filter, hint }: FilterOperation,
  options: Options,
): Promise<mongo.ObjectId[]> {
  // No limit would be one of 0.
  if (limit < 1) return [];
  const found = await driver
    .find(filter, {
      projection: { _id: 1 },
      limit,
      ...(hint !== undefined && { hint }),
      ...options,
    })
    .toArray();
  return found.map(({ _id }) => _id);
}

async function changeSelected(
  { change, documents: { driver }, filter, update }: FilterOperation,
  ids: readonly mongo.ObjectId[],
  options: Options,
): Promise<number> {
  if (ids.length === 0) return 0;
  // Outside of a transaction, some may have changed since they were found.
  const selected = allOf([{ _id: { $in: ids } }, filter]);
  if (change.kind === 'removeAll') return (await driver.deleteMany(selected, options)).deletedCount;
  return (await driver.updateMany(selected, update, options)).matchedCount;
}
