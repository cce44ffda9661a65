import { randomInt } from 'node:crypto';
import type { AnyCollection, Collection, FieldOf, Stored } from './collection.js';
import type { Filter } from './filter.js';

/** The numeric fields of a record. */
type CounterOf<R> = {
  [K in FieldOf<R>]: R[K] extends number ? (K extends 'version' ? never : K) : never;
}[FieldOf<R>];

type Counts<R> = Readonly<Partial<Record<CounterOf<R>, number>>>;

/** The conditions for incrementing a record, besides that it exists. */
export interface Bounds<R> {
  /** Maximum values of the counters. */
  readonly atMost?: Counts<R>;
  /** Required values of other fields. */
  readonly where?: Readonly<Partial<R>>;
}

/**
 * A change to the store, with its condition. It is plain data, so a decision can be tested. Records are of
 * any kind; the functions below check the types.
 */
export type Change = RemoveAll | SetAll | Increment | Replace | Remove | Insert;

interface ChangeOf<Kind extends string> {
  readonly kind: Kind;
  readonly collection: AnyCollection;
}

export interface RemoveAll extends ChangeOf<'removeAll'> {
  readonly filter: object;
  readonly limit: number;
}

export interface SetAll extends ChangeOf<'setAll'> {
  readonly filter: object;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly limit: number;
}

export interface Increment extends ChangeOf<'increment'> {
  readonly _id: string;
  readonly by: Readonly<Record<string, number>>;
  readonly atMost: Readonly<Record<string, number>>;
  readonly where: Readonly<Record<string, unknown>>;
}

export interface Replace extends ChangeOf<'replace'> {
  readonly before: Stored;
  readonly after: Stored;
}

export interface Remove extends ChangeOf<'remove'> {
  readonly before: Stored;
}

export interface Insert extends ChangeOf<'insert'> {
  readonly record: Stored;
}

/** Maximum number of records that one change of a commit removes or sets. Further steps handle the rest. */
export const MAX_BATCH_SIZE = 1_000;

/**
 * Removes the records a filter selects, up to the limit. It has no condition, so it can miss records that
 * are added or changed at the same time.
 */
export const removeAll = <R extends Stored>(
  collection: Collection<R>,
  filter: Filter<R>,
  limit = MAX_BATCH_SIZE,
): RemoveAll => ({ kind: 'removeAll', collection, filter, limit });

/**
 * Sets fields of the records a filter selects, up to the limit. It has no condition, so it can miss records
 * that are added or changed at the same time.
 */
export const setAll = <R extends Stored>(
  collection: Collection<R>,
  filter: Filter<R>,
  fields: Readonly<Partial<R>>,
  limit = MAX_BATCH_SIZE,
): SetAll => ({ kind: 'setAll', collection, filter, fields, limit });

/** Adds to a record's counters, if the record exists and stays within the bounds. */
export const increment = <R extends Stored>(
  collection: Collection<R>,
  _id: string,
  by: Counts<R>,
  { atMost, where }: Bounds<R> = {},
): Increment => ({
  kind: 'increment',
  collection,
  _id,
  by: by as Record<string, number>,
  atMost: { ...atMost },
  where: { ...where },
});

/** Requires that a record exists. Of this change and a concurrent removal, only one succeeds. */
export const touch = <R extends Stored>(collection: Collection<R>, _id: string): Increment =>
  increment(collection, _id, {} as Counts<R>);

/**
 * Replaces a record if it is unchanged since it was read and its unique values are free.
 *
 * @throws Error if `after` has a different id
 */
export function replace<R extends Stored>(collection: Collection<R>, before: R, after: R): Replace {
  if (before._id !== after._id) throw new Error(`A record of ${collection.name} keeps its id`);
  return { kind: 'replace', collection, before, after };
}

/** Whether an update changes only `updatedAt`. Then neither the update nor an event is stored. */
export const isUnchanged = <R extends Stored & { readonly updatedAt: Date }>(
  before: R,
  after: R,
): boolean => JSON.stringify(before) === JSON.stringify({ ...after, updatedAt: before.updatedAt });

/** Removes a record if it is unchanged since it was read. */
export const remove = <R extends Stored>(collection: Collection<R>, before: R): Remove => ({
  kind: 'remove',
  collection,
  before,
});

/** Inserts a record if its id and unique values are free. */
export const insert = <R extends Stored>(collection: Collection<R>, record: R): Insert => ({
  kind: 'insert',
  collection,
  record,
});

/** A record before and after a change; null if not stored. */
export interface Transition<R> {
  readonly before: R | null;
  readonly after: R | null;
}

/** Each inserted, replaced or removed record of a collection, before and after the change. */
export const transitionsOf = <R extends Stored>(
  collection: Collection<R>,
  changes: readonly Change[],
): Transition<R>[] =>
  changes.flatMap((change): Transition<R>[] => {
    if (change.collection !== collection) return [];
    switch (change.kind) {
      case 'insert':
        return [{ before: null, after: change.record as R }];
      case 'replace':
        return [{ before: change.before as R, after: change.after as R }];
      case 'remove':
        return [{ before: change.before as R, after: null }];
      case 'increment':
      case 'removeAll':
      case 'setAll':
        return [];
    }
  });

/** How changes insert, replace or remove a record; undefined if they do not. */
export const changedIn = <R extends Stored>(
  changes: readonly Change[],
  collection: Collection<R>,
  _id: string,
): Transition<R> | undefined =>
  transitionsOf(collection, changes).find(({ before, after }) => (after ?? before)?._id === _id);

/** How many records a commit changes at most. */
export const recordsIn = (changes: readonly Change[]): number =>
  changes.reduce((sum, change) => sum + ('limit' in change ? change.limit : 1), 0);

/** The order in which a commit applies its changes, regardless of their order in the list. */
export const CHANGE_ORDER = [
  'removeAll',
  'setAll',
  'increment',
  'replace',
  'remove',
  'insert',
] as const satisfies readonly Change['kind'][];

export const inOrder = (changes: readonly Change[]): Change[] =>
  CHANGE_ORDER.flatMap((kind) => changes.filter((change) => change.kind === kind));

/** A new, globally unique version of a record. */
export const newVersion = (): number => randomInt(1, 2 ** 48 - 1);
