import type { mongo } from 'mongoose';
import {
  type Change,
  CHANGE_ORDER,
  type Increment,
  newVersion,
  type RemoveAll,
  type SetAll,
} from '../changes.js';
import { type Filter, readFilter } from '../filter.js';
import type { Documents } from './documents.js';
import { allOf, toMongoFilter } from './filters.js';
import { hintOf } from './indexes.js';

/** A change to one record, as sent to the database. */
export interface RecordOperation {
  readonly change: Exclude<Change, RemoveAll | SetAll>;
  readonly documents: Documents;
  /** The id of the document. */
  readonly id: unknown;
  /** Selects the record by id if the condition holds. */
  readonly filter: mongo.Document;
  /** The update of the record, or the document to insert. */
  readonly update: mongo.Document;
  /** The same value for increments that can be merged. */
  readonly mergeKey?: string | undefined;
}

/** A change to the records a filter selects. */
export interface FilterOperation {
  readonly change: RemoveAll | SetAll;
  readonly documents: Documents;
  readonly filter: mongo.Document;
  readonly hint: string | undefined;
  readonly update: mongo.Document;
}

export type Operation = RecordOperation | FilterOperation;

export const isOfRecord = (operation: Operation): operation is RecordOperation => 'id' in operation;

/** @throws Error if the change is a bug: a field is undefined or not declared, or no index serves its filter */
export function operationOf(change: Change, documents: Documents): Operation {
  const version = newVersion();
  switch (change.kind) {
    case 'removeAll':
    case 'setAll': {
      const filter = readFilter(change.filter as Filter<object>);
      const fields = Object.entries(change.kind === 'setAll' ? change.fields : {});
      const values = fields.map(([name, value]) => [name, documents.encodeField(name, value)]);
      return {
        change,
        documents,
        filter: toMongoFilter(documents, filter),
        hint: hintOf(change.collection, filter),
        update: { $set: { ...(Object.fromEntries(values) as object), version } },
      };
    }
    case 'increment':
      return incrementOf(change, documents);
    case 'replace':
    case 'remove': {
      const { before } = change;
      // Fields unknown to this version stay unchanged.
      const fields = change.kind === 'replace' ? documents.encode(change.after, version) : {};
      delete fields._id;
      const id = documents.encodeValue('_id', before._id);
      const filter = { _id: { $eq: id }, version: before.version };
      return { change, documents, id, filter, update: { $set: fields } };
    }
    case 'insert': {
      const update = documents.encode(change.record, version);
      return { change, documents, id: update._id, filter: {}, update };
    }
  }
}

function incrementOf(change: Increment, documents: Documents): RecordOperation {
  const { _id, by, atMost, where } = change;
  const isBounded = Object.keys(atMost).length > 0;
  const isShared = !isBounded || Object.values(by).every((count) => count >= 0);
  const id = documents.encodeValue('_id', _id);
  // A document may lack a counter that was declared later.
  const initial = (name: string) => (documents.field(name).initial as number | undefined) ?? 0;
  const sums = Object.entries(by).map(([name, count]) => [
    name,
    { $add: [{ $ifNull: [`$${name}`, initial(name)] }, count] },
  ]);
  const bounds = Object.entries(atMost).map(([name, bound]) => {
    const most = bound - (by[name] ?? 0);
    return { [name]: initial(name) > most ? { $lte: most } : { $not: { $gt: most } } };
  });
  const condition = toMongoFilter(documents, readFilter(where as Filter<object>));
  return {
    change,
    documents,
    id,
    filter: allOf([{ _id: { $eq: id as mongo.ObjectId } }, condition, ...bounds]),
    update: [{ $set: { version: newVersion(), ...(Object.fromEntries(sums) as object) } }],
    // Merging must have the same outcome as applying them one by one, so increments without bounds come first.
    mergeKey: isShared ? JSON.stringify([String(id), where]) : undefined,
  };
}

/**
 * Groups a batch into commands, in the order of changes. Increments of one record are merged. Without this,
 * 32 callers that add to one record would get half the commits.
 */
export const stepsOf = (operations: readonly Operation[]): Operation[][] =>
  CHANGE_ORDER.flatMap((kind) => {
    const ofKind = operations.filter(({ change }) => change.kind === kind);
    const byCollection = groupsOf(ofKind, ({ change }) => change.collection.name);
    return kind === 'increment' ? byCollection.map(merged) : byCollection;
  });

function merged(operations: readonly Operation[]): Operation[] {
  const groups = groupsOf(operations, (operation) =>
    isOfRecord(operation) && operation.mergeKey !== undefined ? operation.mergeKey : operation,
  );
  return groups.map((group) => {
    const [{ change, documents }] = group as [Operation];
    if (group.length === 1) return group[0]!;
    const by: Record<string, number> = {};
    const atMost: Record<string, number> = {};
    for (const each of group.map((operation) => operation.change as Increment)) {
      for (const [name, count] of Object.entries(each.by)) by[name] = (by[name] ?? 0) + count;
      for (const [name, bound] of Object.entries(each.atMost)) {
        atMost[name] = Math.min(bound, atMost[name] ?? Infinity);
      }
    }
    return incrementOf({ ...(change as Increment), by, atMost }, documents);
  });
}

function groupsOf<T>(items: readonly T[], keyOf: (item: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
