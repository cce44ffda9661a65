import type { mongo } from 'mongoose';
import {
  type Change,
  type Increment,
  newVersion,
  type RemoveAll,
  type SetAll,
} from '../../changes.js';
import type { Stored } from '../../collection.js';
import { type Filter, readFilter } from '../../filter.js';
import type { Documents } from '../documents/documents.js';
import { allOf, hintOf, toMongoFilter } from '../documents/filters.js';

/** A record or a unique value that an operation uses: beside others with the same `share`, or alone. */
export interface Use {
  readonly name: string;
  readonly share?: string | undefined;
}

/** A change of one record, as it is sent to the database. */
export interface RecordOperation {
  readonly change: Exclude<Change, RemoveAll | SetAll>;
  readonly documents: Documents;
  /** The id of the document. */
  readonly id: unknown;
  /** Names the record among those of all collections. */
  readonly record: string;
  /** The record, and the unique values that it has before and afterwards. */
  readonly uses: readonly Use[];
  /** The version that it gives the record. */
  readonly version: number;
  /** Selects the record by its id, if the condition holds. */
  readonly filter: mongo.Document;
  /** The update of the record, or the document to insert. */
  readonly update: mongo.Document;
}

/** A change of the records that a filter selects. */
export interface FilterOperation {
  readonly change: RemoveAll | SetAll;
  readonly documents: Documents;
  readonly filter: mongo.Document;
  readonly hint: string | undefined;
  readonly update: mongo.Document;
}

export type Operation = RecordOperation | FilterOperation;

export const isOfRecord = (operation: Operation): operation is RecordOperation =>
  'record' in operation;

/** @throws Error where the change is a bug: a field is undefined or not declared, or no index serves its filter */
export function operationOf(change: Change, documents: Documents): Operation {
  const version = newVersion();
  const { codec } = documents;
  switch (change.kind) {
    case 'removeAll':
    case 'setAll': {
      const filter = readFilter(change.filter as Filter<object>);
      const fields = change.kind === 'setAll' ? codec.encodeSome(change.fields) : {};
      return {
        change,
        documents,
        filter: toMongoFilter(codec, filter),
        hint: hintOf(codec.collection, filter),
        update: { $set: { ...fields, version } },
      };
    }
    case 'increment':
      return incrementOf(change, documents);
    case 'replace':
    case 'remove': {
      const { before } = change;
      // Fields that this program does not know stay as they are.
      const fields = change.kind === 'replace' ? codec.encode(change.after, version) : {};
      delete fields._id;
      const states = change.kind === 'replace' ? [before, change.after] : [before];
      return ofRecord(change, before._id, documents, {
        version,
        update: { $set: fields },
        states,
        conditions: [{ version: before.version }],
      });
    }
    case 'insert': {
      const { record } = change;
      const update = codec.encode(record, version);
      return ofRecord(change, record._id, documents, { version, update, states: [record] });
    }
  }
}

/** The one operation that does the same as some that share a record. */
export function merged(operations: readonly RecordOperation[]): RecordOperation {
  const [first] = operations as [RecordOperation];
  if (operations.length === 1) return first;
  const increments = operations.map(({ change }) => change as Increment);
  const by: Record<string, number> = {};
  const atMost: Record<string, number> = {};
  for (const each of increments) {
    for (const [name, count] of Object.entries(each.by)) by[name] = (by[name] ?? 0) + count;
    for (const [name, bound] of Object.entries(each.atMost)) {
      atMost[name] = Math.min(bound, atMost[name] ?? Infinity);
    }
  }
  return incrementOf({ ...increments[0]!, by, atMost }, first.documents);
}

function incrementOf(change: Increment, documents: Documents): RecordOperation {
  const { _id, by, atMost, where } = change;
  const { codec } = documents;
  const version = newVersion();
  const isBounded = Object.keys(atMost).length > 0;
  const isMerged = !isBounded || Object.values(by).every((count) => count >= 0);
  // A document may lack a counter that was declared later.
  const initial = (name: string) => (codec.field(name).initial as number | undefined) ?? 0;
  const sums = Object.entries(by).map(([name, count]) => [
    name,
    { $add: [{ $ifNull: [`$${name}`, initial(name)] }, count] },
  ]);
  const bounds = Object.entries(atMost).map(([name, bound]) => {
    const most = bound - (by[name] ?? 0);
    return { [name]: initial(name) > most ? { $lte: most } : { $not: { $gt: most } } };
  });
  return ofRecord(change, _id, documents, {
    version,
    update: [{ $set: { version, ...(Object.fromEntries(sums) as object) } }],
    // Merged, they have the outcome of one after the other: first those without bounds.
    ...(isMerged && { share: JSON.stringify(where) }),
    conditions: [toMongoFilter(codec, readFilter(where as Filter<object>)), ...bounds],
  });
}

interface Details {
  readonly version: number;
  readonly update: mongo.Document;
  readonly conditions?: readonly mongo.Document[];
  readonly share?: string;
  /** The record before and after the change, as far as it is known. */
  readonly states?: readonly Stored[];
}

function ofRecord(
  change: RecordOperation['change'],
  _id: string,
  documents: Documents,
  { version, update, conditions = [], share, states = [] }: Details,
): RecordOperation {
  const { collection } = change;
  const id = documents.codec.encodeValue('_id', _id);
  const record = `${collection.name} ${String(id)}`;
  const values = states.flatMap((state) =>
    collection.unique
      .map((fields) => fields.map((field) => [field, state[field as keyof Stored]]))
      // Null belongs to any number of records.
      .filter((set) => set.every(([, value]) => value !== null))
      .map((set) => ({ name: `${collection.name} ${JSON.stringify(set)}` })),
  );
  return {
    change,
    documents,
    id,
    record,
    version,
    update,
    uses: [{ name: record, share }, ...values],
    filter: allOf([{ _id: { $eq: id } }, ...conditions]),
  };
}
