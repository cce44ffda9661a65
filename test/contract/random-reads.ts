import type { Condition, Filter } from '../../src/storage/filter.js';
import type { ListPosition, Order, Store } from '../../src/storage/store.js';
import {
  ACCOUNTS,
  ITEM_IDS,
  type RandomValues,
  SHELF_IDS,
  STATES,
  TEXTS,
  TIMES,
} from './random-values.js';
import { type Item, ITEMS, type Shelf, SHELVES } from './records.js';

/** A read with its result, which is the same in each store with the same records, but for versions. */
export type Read = (store: Store) => Promise<unknown>;

/** Draws a read. Callers with the same seed draw the same. */
export const nextRead = (values: RandomValues): Read =>
  values.of([find, list, count, countBy, countTexts, newestOf])(values);

function find(values: RandomValues): Read {
  const { code, serial, shelf } = values.item();
  const { account, label } = values.shelf();
  const ofShelf = values.of<Partial<Shelf>>([{ _id: shelf }, { account, label }]);
  // Many of one tick, as some stores look them up together.
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
  // Of no record, mostly.
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

/** Every character of a text is literal. */
function countTexts(values: RandomValues): Read {
  const account = values.of(ACCOUNTS);
  const names = [1, 2, 3, 4].map(() =>
    values.of<Condition<string>>([
      { startsWith: values.of(TEXTS.slice(1)) },
      { contains: values.of(TEXTS) },
    ]),
  );
  return (store) => Promise.all(names.map((name) => store.count(ITEMS, { account, name })));
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
    { shelf: values.of(SHELF_IDS) },
    { account: { oneOf: values.some(ACCOUNTS) } },
    // A unique index has no record with null.
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
