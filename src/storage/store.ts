import { DomainError } from '../shared/errors/domain-error.js';
import type { ErrorCode } from '../shared/errors/error-codes.js';
import type { AccountId } from '../shared/ids.js';
import type { Collection, FieldOf, Stored } from './collection.js';
import type { Filter } from './filter.js';

/**
 * Why a process opens the store. A SQLite store has at most one `service`, which prepares it. A `command`
 * can run at the same time. It prepares the store only if the store is new or no service uses it.
 */
export type OpenMode = 'service' | 'command';

/** How a list is sorted: by an indexed field, with ties broken by `_id` in the same direction. */
export interface Order<R> {
  readonly by: FieldOf<R>;
  readonly direction: 'asc' | 'desc';
}

/** A position in a list: after the record with this sort value and id. */
export interface ListPosition {
  readonly value: Date | string | number;
  readonly _id: string;
}

/** A slice of a list: at most `limit` records after a position. */
export interface Slice {
  readonly limit: number;
  readonly after?: ListPosition | undefined;
}

/** The key of a `find`: `_id`, or the fields of one unique set. */
export type Key<R> = Readonly<Partial<R>>;

/** The number of records per value; the key is null for null fields. */
export type CountsByValue = ReadonlyMap<string | number | null, number>;

/**
 * The read side of the store for features: the port both engines implement, and the token Nest injects. All
 * methods wait at most until the deadline of the current request.
 *
 * @throws DomainError STORE_UNAVAILABLE at the deadline, or if the store is unreachable; OVERLOADED if another instance holds
 *   a record until the deadline
 */
export abstract class Store {
  /** The record with this `_id` or unique set, or null. At least as new as the last acknowledged commit. */
  abstract find<R extends Stored>(collection: Collection<R>, key: Key<R>): Promise<R | null>;

  /**
   * Some of the records a filter selects, in order.
   *
   * @throws Error if no index of the collection serves the read, which is a bug; see {@link chooseIndex}
   */
  abstract list<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    order: Order<R>,
    slice: Slice,
  ): Promise<R[]>;

  /** The number of records a filter selects, counted up to `atMost`. */
  abstract count<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    atMost?: number,
  ): Promise<number>;

  /**
   * The number of records per value of a field.
   *
   * @param bucketMs for a time field: groups by `floor(milliseconds / bucketMs)`
   */
  abstract countBy<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    field: FieldOf<R>,
    bucketMs?: number,
  ): Promise<CountsByValue>;

  /**
   * The newest records of each of several parents by `createdAt`, in the order of the parents.
   *
   * @param filter equality only, in addition to the parents
   * @param parent the field with the parent's id
   */
  abstract newestOf<R extends Stored & { readonly createdAt: Date }>(
    collection: Collection<R>,
    filter: Filter<R>,
    parent: FieldOf<R>,
    parents: readonly string[],
    limit: number,
  ): Promise<R[]>;

  /** Resolves if the store responds. */
  abstract ping(): Promise<void>;
}

/** All records that a filter selects, in ascending order of a field, page by page. */
export async function* pagesOf<R extends Stored>(
  store: Store,
  collection: Collection<R>,
  filter: Filter<R>,
  by: FieldOf<R>,
  limit: number,
): AsyncGenerator<readonly R[]> {
  const order = { by, direction: 'asc' } as const;
  for (let after: ListPosition | undefined, isMoreLeft = true; isMoreLeft;) {
    const page = await store.list(collection, filter, order, { limit, after });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    after = last && { value: last[by] as ListPosition['value'], _id: last._id };
    isMoreLeft = page.length === limit;
  }
}

/** A record if it belongs to the account; otherwise null, as if it did not exist. */
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
