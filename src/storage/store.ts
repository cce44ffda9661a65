import { DomainError } from '../shared/errors/domain-error.js';
import type { ErrorCode } from '../shared/errors/error-codes.js';
import type { AccountId } from '../shared/ids.js';
import type { Collection, FieldOf, Stored } from './collection.js';
import type { Filter } from './filter.js';

/**
 * What a process opens the store for. One `service` at a time has a SQLite store, and prepares it. A `command` may run at the same
 * time; it prepares only a store that is new, or that no service has.
 */
export type OpenMode = 'service' | 'command';

/** How a list is sorted: by a field of an index, ties by `_id` in the same direction. */
export interface Order<R> {
  readonly by: FieldOf<R>;
  readonly direction: 'asc' | 'desc';
}

/** A position in a list: after the record with this value of the field that sorts, and this id. */
export interface ListPosition {
  readonly value: Date | string | number;
  readonly _id: string;
}

/** A part of a list: at most `limit` records, those after a position. */
export interface Slice {
  readonly limit: number;
  readonly after?: ListPosition | undefined;
}

/** The values by which the record of a `find` is named: `_id`, or the fields of one unique set. */
export type Key<R> = Readonly<Partial<R>>;

/** The number of records by a value; the key is null where the field is. */
export type CountsByValue = ReadonlyMap<string | number | null, number>;

/**
 * The store of all records as features read it: the port that both engines implement, and the token by which Nest injects one. All
 * methods wait until the deadline of the current request at most.
 *
 * @throws DomainError STORE_UNAVAILABLE at the deadline, or where the store cannot be reached; OVERLOADED where another instance has
 *   a record until the deadline
 */
export abstract class Store {
  /** The record with these values of `_id` or of a unique set, or null. It is as of the last acknowledged commit, or newer. */
  abstract find<R extends Stored>(collection: Collection<R>, key: Key<R>): Promise<R | null>;

  /**
   * Some of the records that a filter selects, in order.
   *
   * @throws Error where no index of the collection serves it: a bug, see {@link chooseIndex}
   */
  abstract list<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    order: Order<R>,
    slice: Slice,
  ): Promise<R[]>;

  /** The number of records that a filter selects, counted up to `atMost`. */
  abstract count<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    atMost?: number,
  ): Promise<number>;

  /**
   * The number of records for each value of a field.
   *
   * @param bucketMs of a time: counts by `floor(milliseconds / bucketMs)`
   */
  abstract countBy<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    field: FieldOf<R>,
    bucketMs?: number,
  ): Promise<CountsByValue>;

  /**
   * The newest records of each of several parents by `createdAt`, in the order of the parents, the newest first.
   *
   * @param filter equality alone; the parents are compared besides
   * @param parent the field with the parent's id
   */
  abstract newestOf<R extends Stored & { readonly createdAt: Date }>(
    collection: Collection<R>,
    filter: Filter<R>,
    parent: FieldOf<R>,
    parents: readonly string[],
    limit: number,
  ): Promise<R[]>;

  /** Resolves where the store responds. */
  abstract ping(): Promise<void>;
}

/** A record if it belongs to an account, else null: as if it did not exist. */
export async function findOwned<R extends Stored>(
  store: Store,
  collection: Collection<R>,
  _id: string,
  accountId: AccountId,
): Promise<R | null> {
  const record = await store.find(collection, { _id } as Partial<R>);
  return record?.[collection.account!] === accountId ? record : null;
}

/** @throws DomainError with this code if there is none */
export async function getOwned<R extends Stored>(
  store: Store,
  collection: Collection<R>,
  _id: string,
  accountId: AccountId,
  missing: ErrorCode,
): Promise<R> {
  const record = await findOwned(store, collection, _id, accountId);
  if (!record) throw new DomainError(missing);
  return record;
}
