import {
  type Change,
  increment,
  insert,
  remove,
  removeAll,
  replace,
  setAll,
} from '../../src/storage/changes.js';
import type { Collection, Stored } from '../../src/storage/collection.js';
import type { Filter } from '../../src/storage/filter.js';
import type { Store } from '../../src/storage/store.js';
import { ITEM_IDS, type RandomValues, SHELF_IDS, TEXTS } from './random-reads.js';
import { type Item, ITEMS, LABELS, SHELVES } from './records.js';

/** A store, and the records a caller has read from it; versions differ from store to store. */
export interface Caller<S extends Store = Store> {
  readonly store: S;
  readonly read: Map<string, Stored>;
}

type Prepare = (caller: Caller) => Promise<Change>;

interface Drawn {
  /** The record it changes, or the collection if it changes several. */
  readonly of: string;
  readonly prepare: Prepare;
}

/**
 * Draws a commit of one to five changes to different records. Callers with the same seed draw the same.
 *
 * @param isAlone whether no other commit is concurrent, so some records may be changed by a filter, which does not protect
 *   against additions
 */
export function nextChanges(values: RandomValues, isAlone: boolean) {
  const all = Array.from({ length: values.random.between(1, 5) }, () => change(values, isAlone));
  if (values.isOneIn(2)) all.reverse();
  const drawn = all.filter(
    (one, index) => !all.slice(0, index).some((other) => areOfTheSame(one.of, other.of)),
  );
  /** The same changes in each store, based on what the caller has read there. */
  return async (caller: Caller) => {
    const changes: Change[] = [];
    for (const { prepare } of drawn) changes.push(await prepare(caller));
    return changes;
  };
}

/**
 * Draws commits that conflict over one shelf: each counts up to its own bound, and some store an item in the shelf; one may
 * store the shelf, or remove it with its items.
 */
export function nextRace(values: RandomValues) {
  const shelf = values.shelf();
  const { _id } = shelf;
  const read = (caller: Caller) => readBefore(caller, SHELVES, _id, false);
  const by = { items: values.of([1, 1, 2, -1]) };
  // Multiples of it: some bounds hold for all commits together, but not one after the other.
  const multiples = by.items > 0 ? [1, 2, 3, 5, 6] : [1, 2, 2, 2, 3];
  const isOfLabels = values.isOneIn(3);
  const addition = () => {
    const most = by.items * values.of(multiples);
    const where = isOfLabels ? { label: values.orNull(['a']) } : {};
    const item = { ...values.item(), shelf: _id };
    const isStored = values.isOneIn(6);
    return async (caller: Caller): Promise<Change[]> => {
      const { items } = (await read(caller)) ?? shelf;
      const atMost = { items: items + most };
      const counted = increment(SHELVES, _id, by, { atMost, where });
      return isStored ? [counted, insert(ITEMS, item)] : [counted];
    };
  };
  const [first, ...others] = [1, 2, 3, 4, 5].map(addition);
  const isRemoved = values.isOneIn(5);
  const firstOrOther = async (caller: Caller): Promise<Change[]> => {
    const found = await read(caller);
    if (!found) return [insert(SHELVES, shelf)];
    return isRemoved ? [remove(SHELVES, found), removeAll(ITEMS, { shelf: _id })] : first!(caller);
  };
  return [firstOrOther, ...others];
}

function change(values: RandomValues, isAlone: boolean): Drawn {
  const drawn = [
    () => ofItem(values),
    () => ofOne(values, ITEMS, values.item(), values.item()),
    () => ofOne(values, SHELVES, values.shelf(), values.shelf()),
    () => ofOne(values, LABELS, values.label(), values.label()),
    () => ofCounter(values),
    () => ofCounter(values),
    () => ofCachedCounter(values),
    () => ofItem(values),
    () => (isAlone ? ofMany(values) : ofItem(values)),
    () => (isAlone ? ofMany(values) : ofItem(values)),
  ];
  return values.of(drawn)();
}

/** Inserts a missing record, or replaces or removes an existing one; sometimes the other way around. */
function ofOne<R extends Stored>(
  values: RandomValues,
  collection: Collection<R>,
  record: R,
  fields: Partial<R>,
): Drawn {
  const { _id } = record;
  const [isStale, isWrong, isRemoval] = [values.isOneIn(5), values.isOneIn(20), values.isOneIn(5)];
  const prepare: Prepare = async (caller) => {
    const found = await readBefore(caller, collection, _id, isStale);
    if ((found === null) !== isWrong) return insert(collection, record);
    const before = found ?? record;
    return isRemoval
      ? remove(collection, before)
      : replace(collection, before, { ...before, ...fields, _id });
  };
  return { of: `${collection.name} ${_id}`, prepare };
}

function ofItem(values: RandomValues): Drawn {
  return ofOne(values, ITEMS, values.item(), values.itemFields());
}

function ofCounter(values: RandomValues): Drawn {
  const counts = (least: number, most: number) => ({
    ...(values.isOneIn(2) && { items: values.random.between(least, most) }),
    ...(values.isOneIn(3) && { weight: values.random.between(least, most) }),
  });
  const where = {
    ...(values.isOneIn(10) && { label: values.orNull(TEXTS.slice(0, 2)) }),
    ...(values.isOneIn(10) && { checkedAt: null }),
  };
  const [by, atMost] = [counts(-2, 3), values.isOneIn(2) ? counts(0, 5) : {}];
  const _id = values.of(SHELF_IDS);
  return {
    of: `${SHELVES.name} ${_id}`,
    prepare: async () => increment(SHELVES, _id, by, { atMost, where }),
  };
}

/** Items are cached, shelves are not. */
function ofCachedCounter(values: RandomValues): Drawn {
  const _id = values.of(ITEM_IDS);
  const by = values.isOneIn(2) ? { rank: -1 } : {};
  return { of: `${ITEMS.name} ${_id}`, prepare: async () => increment(ITEMS, _id, by) };
}

/** Removes or sets some items. */
function ofMany(values: RandomValues): Drawn {
  const { account, state, price, ...rest } = values.itemFields();
  const filter = values.of<Filter<Item>>([
    { account, state },
    { account, state, price },
    { _id: { oneOf: values.some(ITEM_IDS) } },
    { shelf: values.of(SHELF_IDS), createdAt: { before: rest.createdAt } },
    { account, soldAt: { not: null }, or: [{ rank: 1 }, { name: { startsWith: 'a' } }] },
  ]);
  const fields = values.of<Partial<Item>>([{ state, price }, rest]);
  const isRemoval = values.isOneIn(3);
  return {
    of: ITEMS.name,
    prepare: async () => (isRemoval ? removeAll(ITEMS, filter) : setAll(ITEMS, filter, fields)),
  };
}

/** A record also belongs to its collection. */
const areOfTheSame = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);

/** The record as it is now, or as the caller read it some time ago. */
async function readBefore<R extends Stored>(
  { store, read }: Caller,
  collection: Collection<R>,
  _id: string,
  isStale: boolean,
): Promise<R | null> {
  const key = `${collection.name} ${_id}`;
  if (isStale) return (read.get(key) as R | undefined) ?? null;
  const record = await store.find(collection, { _id } as Partial<R>);
  if (record) read.set(key, record);
  return record;
}
