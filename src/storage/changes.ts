import { randomInt } from 'node:crypto';
import type { AnyCollection, Collection, FieldOf, Stored } from './collection.js';
import type { Filter } from './filter.js';

/** The fields of a record that are numbers. */
type CounterOf<R> = {
  [K in FieldOf<R>]: R[K] extends number ? (K extends 'version' ? never : K) : never;
}[FieldOf<R>];

type Counts<R> = Readonly<Partial<Record<CounterOf<R>, number>>>;

/** What must hold of a record that is incremented, besides that it exists. */
export interface Bounds<R> {
  /** Values that the counters do not pass. */
  readonly atMost?: Counts<R>;
  /** Values that other fields have. */
  readonly where?: Readonly<Partial<R>>;
}

/**
 * A change of the store, with the condition under which it can be made: data, so that a decision can be tested. Records are
 * of any kind; the functions below check the types.
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

/** Most records that one change of a commit removes or sets: the rest is left to steps. */
export const MAX_BATCH_SIZE = 1_000;

/**
 * Removes records that a filter selects, some where there are more than the limit. It has no condition; what others add or change
 * meanwhile may be left out.
 */
export const removeAll = <R extends Stored>(
  collection: Collection<R>,
  filter: Filter<R>,
  limit = MAX_BATCH_SIZE,
): RemoveAll => ({ kind: 'removeAll', collection, filter, limit });

/**
 * Sets fields of records that a filter selects, of some where there are more than the limit. It has no condition; what others add
 * or change meanwhile may be left out.
 */
export const setAll = <R extends Stored>(
  collection: Collection<R>,
  filter: Filter<R>,
  fields: Readonly<Partial<R>>,
  limit = MAX_BATCH_SIZE,
): SetAll => ({ kind: 'setAll', collection, filter, fields, limit });

/** Adds to counters of a record, on condition that it exists and no bound is passed. */
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

/** On condition that a record exists: of this change and a removal of the record, one alone succeeds. */
export const touch = <R extends Stored>(collection: Collection<R>, _id: string): Increment =>
  increment(collection, _id, {} as Counts<R>);

/**
 * Replaces a record, on condition that it has not changed since it was read and its unique values are free.
 *
 * @throws Error where `after` has another id
 */
export function replace<R extends Stored>(collection: Collection<R>, before: R, after: R): Replace {
  if (before._id !== after._id) throw new Error(`A record of ${collection.name} keeps its id`);
  return { kind: 'replace', collection, before, after };
}

/** Whether an update changes nothing but the time of the latest one: then it is not stored, and no event. */
export const isUnchanged = <R extends Stored & { readonly updatedAt: Date }>(
  before: R,
  after: R,
): boolean => JSON.stringify(before) === JSON.stringify({ ...after, updatedAt: before.updatedAt });

/** Removes a record, on condition that it has not changed since it was read. */
export const remove = <R extends Stored>(collection: Collection<R>, before: R): Remove => ({
  kind: 'remove',
  collection,
  before,
});

/** Stores a new record, on condition that its id and its unique values are free. */
export const insert = <R extends Stored>(collection: Collection<R>, record: R): Insert => ({
  kind: 'insert',
  collection,
  record,
});

/** A record before and after a change; null where it is not stored. */
export interface Transition<R> {
  readonly before: R | null;
  readonly after: R | null;
}

/** The transitions of the records of a collection that changes insert, replace and remove. */
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

/** The order in which the changes of a commit are made, whatever the order in which they are given. */
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

/** A new version of a record. No other commit gives it the same one. */
export const newVersion = (): number => randomInt(1, 2 ** 48 - 1);
