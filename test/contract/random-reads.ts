import { NOT_STORED } from '../../src/storage/collection.js';
import type { Condition, Filter } from '../../src/storage/filter.js';
import type { ListPosition, Order, Store } from '../../src/storage/store.js';
import type { Random } from '../random.js';
import { at, type Item, ITEMS, type Label, type Shelf, SHELVES } from './records.js';

/** Few values, so that records often share one. */
const digits = (count: number) => Array.from({ length: count }, (_, index) => index.toString(16));
const idsOf = (prefix: string, count: number) =>
  digits(count).map((digit) => prefix.repeat(23) + digit);

export const ACCOUNTS = idsOf('a', 2);
export const SHELF_IDS = idsOf('b', 5);
export const ITEM_IDS = idsOf('c', 16).flatMap((_id) => [_id, `d${_id.slice(1)}`]);
export const TEXTS = [
  ...['', 'a', 'A', 'ab', 'a%b', 'a_b', 'a.b', '.*', '\\', "'", '[a]', '$ne', ' a'],
  ...['%', '_', '.', '?', '^a', `"; DROP TABLE items; --`, '0012 1e3 null NaN', ' \t\n'],
  ...['\u00e9', 'e\u0301', '\uffff', '\u{1f680}', '\u{10fffd}', '\ud7ff\ue000 \u202e\ufeff'],
];
export const STATES = ['new', 'old', 'sold'];
export const TIMES = [
  ...[new Date(-86_400_001), new Date(-86_400_000), new Date(-1), new Date(0)],
  ...[at(0), at(1), new Date(at(1).getTime() + 1), at(99)],
  ...[new Date('0000-01-01T00:00:00.000Z'), new Date('9999-12-31T23:59:59.999Z')],
];
const DATA = [
  ...[{}, { a: null }, [1, 'a', null, [], {}], { a: [{ b: { c: [[true, false, -0.5, '']] } }] }],
  { at: at(1), list: [at(2), { at: new Date(-1) }], text: at(1).toISOString() },
  // Resemble operators, times and ids of other formats.
  { $ne: null, 'a.b': 1, $date: at(1).toISOString(), '': { $: 0 } },
  ...[[{ $date: 0 }], { list: [{ $date: 1, $time: 2 }, ['$date', 0]] }],
  { id: 'a'.repeat(24), $oid: 'a'.repeat(24), _id: 1 },
];
const LARGE = [2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER];

/** Draws values of the fields of records. */
export class RandomValues {
  constructor(readonly random: Random) {}

  isOneIn(times: number): boolean {
    return this.random.between(1, times) === 1;
  }

  of<T>(values: readonly T[]): T {
    return this.random.of(values);
  }

  /** Mostly null. */
  orNull<T>(values: readonly T[]): T | null {
    return this.isOneIn(2) ? this.of(values) : null;
  }

  some<T>(values: readonly T[]): T[] {
    return Array.from({ length: this.random.between(0, 3) }, () => this.of(values));
  }

  rank(): number {
    return this.random.between(-1, 4);
  }

  /** The non-unique fields of an item. */
  itemFields() {
    return {
      account: this.of(ACCOUNTS),
      state: this.of(STATES),
      rank: this.isOneIn(6) ? this.of(LARGE) : this.rank(),
      price: this.orNull([-1, 0, 1, 2, ...LARGE]),
      replaces: this.orNull(ITEM_IDS.slice(0, 3)),
      labels: this.some(TEXTS),
      isSold: this.isOneIn(2),
      sizes: this.some([0, -1, 2.5, ...LARGE]),
      tags: this.some(TEXTS).map((text) => ['a', text] as const),
      details: this.of(DATA),
      note: this.orNull(DATA),
      soldAt: this.orNull(TIMES),
      createdAt: this.of(TIMES),
    };
  }

  item(_id = this.of(ITEM_IDS)): Item {
    const serial = this.isOneIn(5) ? this.of(TEXTS) : null;
    const texts = { name: this.of(TEXTS), serial };
    const code = this.isOneIn(10) ? this.of(TEXTS) : `code of ${this.random.next()}`;
    const unique = { shelf: this.of(SHELF_IDS), code, ...texts };
    return { _id, version: NOT_STORED, ...unique, ...this.itemFields() };
  }

  shelf(_id = this.of(SHELF_IDS)): Shelf {
    const label = this.orNull(TEXTS.slice(0, 4));
    const counters = { items: this.rank(), weight: this.rank() };
    const times = { checkedAt: this.orNull(TIMES), createdAt: this.of(TIMES) };
    const account = this.of(ACCOUNTS);
    return { _id, version: NOT_STORED, account, label, ...counters, ...times };
  }

  label(_id = this.of(TEXTS.slice(1))): Label {
    return { _id, version: NOT_STORED, text: this.of(TEXTS) };
  }
}

/** A read with its result, which must be the same in stores with the same records, except for versions. */
export type Read = (store: Store) => Promise<unknown>;

/** Draws a read. Callers with the same seed draw the same. */
export const nextRead = (values: RandomValues): Read =>
  values.of([find, list, count, count, countBy, newestOf])(values);

function find(values: RandomValues): Read {
  const { code, serial, shelf } = values.item();
  const { account, label } = values.shelf();
  const ofShelf = values.of<Partial<Shelf>>([{ _id: shelf }, { account, label }]);
  // Many in one tick, because some stores batch them.
  const keys = values.of<Partial<Item>[]>([
    ITEM_IDS.map((_id) => ({ _id })),
    TEXTS.map((name) => ({ name, shelf })),
    [{ code }, { serial }, ...TEXTS.map((text) => ({ serial: text }))],
  ]);
  return values.isOneIn(4)
    ? (store) => store.find(SHELVES, ofShelf)
    : (store) => Promise.all(keys.map((key) => store.find(ITEMS, key)));
}

function list(values: RandomValues): Read {
  const filter = anyFilter(values);
  const by = values.of(['createdAt', 'createdAt', 'rank', 'rank', 'name', '_id'] as const);
  const order: Order<Item> = { by, direction: values.of(['asc', 'desc']) };
  const limit = values.random.between(1, 7);
  // Mostly matches no record.
  const { rank, name, createdAt, _id } = values.item();
  const position = { value: { rank, name, createdAt, _id }[by], _id };
  const begin = values.isOneIn(4) ? position : undefined;
  return async (store) => {
    const pages: Item[][] = [];
    let after: ListPosition | undefined = begin;
    do {
      const page = await store.list(ITEMS, filter, order, { limit, after });
      pages.push(page);
      const last = page.length === limit ? page.at(-1) : undefined;
      after = last && { value: last[by], _id: last._id };
    } while (after && pages.length < 50);
    return pages;
  };
}

function count(values: RandomValues): Read {
  const filter = anyFilter(values);
  const atMost = values.isOneIn(2) ? values.random.between(1, 5) : undefined;
  return (store) => store.count(ITEMS, filter, atMost);
}

function countBy(values: RandomValues): Read {
  const filter = anyFilter(values);
  const field = values.of(['state', 'price', 'replaces', 'name', 'shelf'] as const);
  const timeField = values.of(['soldAt', 'createdAt'] as const);
  const bucketMs = values.of([2, 60_000, 86_400_000]);
  return values.isOneIn(2)
    ? (store) => store.countBy(ITEMS, filter, field)
    : (store) => store.countBy(ITEMS, filter, timeField, bucketMs);
}

function newestOf(values: RandomValues): Read {
  const parents = [...new Set(values.some(SHELF_IDS))];
  const limit = values.random.between(1, 4);
  const filter = values.of<Filter<Item>>([{}, { account: values.of(ACCOUNTS) }, { price: null }]);
  return (store) => store.newestOf(ITEMS, filter, 'shelf', parents, limit);
}

function anyFilter(values: RandomValues): Filter<Item> {
  const parent = values.of<Filter<Item>>([
    { account: values.of(ACCOUNTS) },
    { account: values.of(ACCOUNTS) },
    { account: values.of(ACCOUNTS), state: values.of(STATES) },
    { account: values.of(ACCOUNTS), isSold: values.isOneIn(2), soldAt: null },
    { shelf: values.of(SHELF_IDS) },
    { account: { oneOf: values.some(ACCOUNTS) } },
    // A unique index contains no record with null.
    { serial: null },
    {},
  ]);
  const more = values.some([0]).map(() => comparison(values));
  if (values.isOneIn(6)) return { ...parent, or: more };
  if (values.isOneIn(6))
    return { ...parent, and: [...more, { or: [comparison(values), comparison(values)] }] };
  return { ...more[0], ...parent };
}

function comparison(values: RandomValues): Filter<Item> {
  const text = () => condition(values, TEXTS);
  return values.of<() => Filter<Item>>([
    () => ({ name: text() }),
    // Every character of a text is literal.
    () => ({ name: { startsWith: values.of(TEXTS.slice(1)) } }),
    () => ({ name: { contains: values.of(TEXTS) } }),
    () => ({ isSold: values.isOneIn(2) }),
    () => ({ code: text() }),
    () => ({ serial: values.isOneIn(4) ? null : text() }),
    () => ({ state: condition(values, STATES) }),
    () => ({ rank: condition(values, [-1, 0, 1, 2, 3]) }),
    () => ({ price: values.isOneIn(4) ? null : condition(values, [-1, 0, 1, 2]) }),
    () => ({ replaces: values.isOneIn(4) ? null : condition(values, ITEM_IDS.slice(0, 3)) }),
    () => ({ soldAt: values.isOneIn(4) ? null : condition(values, TIMES) }),
    () => ({ createdAt: condition(values, TIMES) }),
    () => ({ labels: { has: values.of(TEXTS) } }),
    () => ({ sizes: { has: values.of([-1, 0, 2.5, 3]) } }),
    () => ({ tags: { has: [values.of(['a', 'b']), values.of(TEXTS)] as const } }),
  ])();
}

function condition<V extends string | number | Date>(
  values: RandomValues,
  pool: readonly V[],
): V | Condition<V> {
  return values.of<V | Condition<V>>([
    values.of(pool),
    { oneOf: values.some(pool) },
    { from: values.of(pool) },
    { before: values.of(pool) },
    { from: values.of(pool), before: values.of(pool) },
    { not: null },
  ]);
}
