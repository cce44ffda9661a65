import { IDEMPOTENCY_RECORDS } from '../../src/shared/idempotency/idempotency-record.js';
import { newObjectId } from '../../src/shared/ids.js';
import {
  type AnyCollection,
  boolean,
  collection,
  id,
  integer,
  json,
  list,
  NOT_STORED,
  type Stored,
  text,
  time,
} from '../../src/storage/collection.js';

/** A record with every kind of field. */
export interface Item extends Stored {
  readonly account: string;
  readonly shelf: string;
  readonly code: string;
  readonly name: string;
  /** Unique, except for null. */
  readonly serial: string | null;
  readonly state: string;
  readonly rank: number;
  readonly price: number | null;
  readonly isSold: boolean;
  readonly replaces: string | null;
  readonly labels: readonly string[];
  readonly sizes: readonly number[];
  readonly tags: readonly (readonly [string, string])[];
  readonly details: object;
  readonly note: object | null;
  readonly soldAt: Date | null;
  readonly createdAt: Date;
}

export const ITEMS = collection<Item>('items', {
  fields: {
    _id: id(),
    account: id(),
    shelf: id(),
    code: text(),
    name: text(),
    serial: text().nullable(),
    state: text(),
    rank: integer(),
    price: integer().nullable(),
    isSold: boolean(),
    replaces: id().nullable(),
    labels: list<string>(),
    sizes: list<number>(),
    tags: json<readonly (readonly [string, string])[]>(),
    details: json(),
    note: json().nullable(),
    soldAt: time().nullable(),
    createdAt: time(),
  },
  unique: [['code'], ['shelf', 'name'], ['serial']],
  indexes: [
    ['shelf', 'createdAt', '_id'],
    ['account', 'state', 'createdAt', '_id'],
    ['account', 'state', 'rank', '_id'],
    ['account', 'createdAt', '_id'],
    ['account', 'rank', '_id'],
    ['account', 'name', '_id'],
    ['account', 'soldAt'],
    ['account', 'isSold', 'soldAt', '_id'],
    ['price'],
  ],
  account: 'account',
  cached: true,
});

/** A parent with counters, and a label that is unique per account, except for null. */
export interface Shelf extends Stored {
  readonly account: string;
  readonly label: string | null;
  readonly items: number;
  readonly weight: number;
  readonly checkedAt: Date | null;
  readonly createdAt: Date;
}

export const SHELVES = collection<Shelf>('shelves', {
  fields: {
    _id: id(),
    account: id(),
    label: text().nullable(),
    items: integer(),
    weight: integer(),
    checkedAt: time().nullable(),
    createdAt: time(),
  },
  unique: [['account', 'label']],
  indexes: [['account', 'createdAt', '_id']],
  account: 'account',
});

/** A record with a text id, found only by id. */
export interface Label extends Stored {
  readonly text: string;
}

export const LABELS = collection<Label>('labels', { fields: { _id: text(), text: text() } });

export const COLLECTIONS: readonly AnyCollection[] = [ITEMS, SHELVES, LABELS, IDEMPOTENCY_RECORDS];

/** The account and shelf of the records below, unless a test names others. */
export const ACCOUNT = 'a'.repeat(24);
export const SHELF = 'b'.repeat(24);

export const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 31, 10, minute, 0, 7));

export function anItem(fields: Partial<Item> = {}): Item {
  const _id = newObjectId();
  return {
    ...{ _id, version: NOT_STORED, account: ACCOUNT, shelf: SHELF },
    ...{ code: `code of ${_id}`, name: `name of ${_id}`, serial: null, state: 'new' },
    ...{ rank: 1, price: null, isSold: false, replaces: null, labels: [], sizes: [], tags: [] },
    ...{ details: {}, note: null, soldAt: null, createdAt: at(0) },
    ...fields,
  };
}

export const aShelf = (fields: Partial<Shelf> = {}): Shelf => ({
  ...{ _id: newObjectId(), version: NOT_STORED, account: ACCOUNT, label: null },
  ...{ items: 0, weight: 0, checkedAt: null, createdAt: at(0) },
  ...fields,
});

export const aLabel = (_id: string): Label => ({
  _id,
  version: NOT_STORED,
  text: `text of ${_id}`,
});
