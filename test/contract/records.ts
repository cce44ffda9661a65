import { IDEMPOTENCY_RECORDS } from '../../src/shared/idempotency/idempotency-record.js';
import { newObjectId } from '../../src/shared/ids.js';
import {
  type AnyCollection,
  collection,
  NOT_STORED,
  type Stored,
  field,
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
    _id: field.id(),
    account: field.id(),
    shelf: field.id(),
    code: field.text(),
    name: field.text(),
    serial: field.text().nullable(),
    state: field.text(),
    rank: field.integer(),
    price: field.integer().nullable(),
    isSold: field.boolean(),
    replaces: field.id().nullable(),
    labels: field.list<string>(),
    sizes: field.list<number>(),
    tags: field.json<readonly (readonly [string, string])[]>(),
    details: field.json(),
    note: field.json().nullable(),
    soldAt: field.time().nullable(),
    createdAt: field.time(),
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
    _id: field.id(),
    account: field.id(),
    label: field.text().nullable(),
    items: field.integer(),
    weight: field.integer(),
    checkedAt: field.time().nullable(),
    createdAt: field.time(),
  },
  unique: [['account', 'label']],
  indexes: [['account', 'createdAt', '_id']],
  account: 'account',
});

/** A record with a text id, found only by id. */
export interface Label extends Stored {
  readonly text: string;
}

export const LABELS = collection<Label>('labels', {
  fields: { _id: field.text(), text: field.text() },
});

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
