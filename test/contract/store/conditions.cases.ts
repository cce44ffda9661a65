import { newObjectId } from '../../../src/shared/ids/object-id.js';
import {
  type Bounds,
  type Change,
  increment,
  insert,
  remove,
  replace,
  touch,
} from '../../../src/storage/changes.js';
import { NOT_STORED } from '../../../src/storage/collection.js';
import { stores } from '../engines.js';
import {
  anItem,
  aShelf,
  at,
  type Item,
  ITEMS,
  type Shelf,
  SHELVES,
  unversioned,
} from '../records.js';
import { useStored } from '../use-stored.js';

const OTHER = 'c'.repeat(24);

describe.each(stores)('the conditions of a commit on $name', (engine) => {
  const { store, stored, found, outcomeOf } = useStored(engine);

  const succeeds = async (change: Change) =>
    expect(await store.commit([change])).toStrictEqual({ ok: true, affected: 0 });
  const fails = async (change: Change) => expect(await outcomeOf([change])).toBe(change);

  describe('an insert', () => {
    it('stores a record, with a version in place of the one that it has', async () => {
      const item = anItem();
      await succeeds(insert(ITEMS, item));
      const first = await found(ITEMS, item);
      expect(unversioned(first)).toStrictEqual(unversioned({ ...item, version: 1 }));
      const second = await stored(ITEMS, anItem({ version: first.version }));
      expect(second.version).not.toBe(first.version);
    });

    it.each<[string, (other: Item) => Partial<Item>]>([
      ['id', ({ _id }) => ({ _id })],
      ['unique value', ({ code }) => ({ code })],
      ['unique set of values', ({ shelf, name }) => ({ shelf, name })],
      ['unique value of a field that may be null', ({ serial }) => ({ serial })],
    ])('fails where another record has its %s', async (_of, taken) => {
      const other = await stored(ITEMS, anItem({ serial: 'serial' }));
      await fails(insert(ITEMS, anItem(taken(other))));
      expect(await found(ITEMS, other)).toStrictEqual(other);
    });

    it('succeeds where others have one value of a unique set, or null', async () => {
      const { name, shelf } = await stored(ITEMS, anItem());
      await succeeds(insert(ITEMS, anItem({ name, shelf: newObjectId() })));
      await succeeds(insert(ITEMS, anItem({ shelf })));
      for (const label of ['top', null, null]) await succeeds(insert(SHELVES, aShelf({ label })));
      await fails(insert(SHELVES, aShelf({ label: 'top' })));
    });
  });

  describe('a replacement', () => {
    it('stores the next state with a new version', async () => {
      const before = await stored(ITEMS, anItem({ serial: 'old', note: { of: 'old' } }));
      const after = { ...anItem({ code: before.code, soldAt: at(1) }), _id: before._id };
      await succeeds(replace(ITEMS, before, after));
      const replaced = await found(ITEMS, before);
      expect(replaced).toStrictEqual({ ...after, version: replaced.version });
      expect([before.version, NOT_STORED]).not.toContain(replaced.version);
    });

    it('fails where the record is missing, or has changed since, though it has the same values again', async () => {
      const first = await stored(ITEMS, anItem());
      await succeeds(replace(ITEMS, first, { ...first, rank: 2 }));
      const second = await found(ITEMS, first);
      await succeeds(replace(ITEMS, second, { ...second, rank: 1 }));
      for (const before of [first, second, { ...second, version: NOT_STORED }]) {
        await fails(replace(ITEMS, before, { ...before, rank: 3 }));
      }
      expect(await found(ITEMS, first)).toMatchObject({ rank: 1 });
      const missing = anItem({ version: first.version });
      await fails(replace(ITEMS, missing, missing));
    });

    it('fails where another record has its unique values, and is free to keep its own', async () => {
      const other = await stored(ITEMS, anItem({ serial: 'other' }));
      const before = await stored(ITEMS, anItem({ serial: 'own' }));
      const { code, name, serial } = other;
      for (const taken of [{ code }, { name }, { serial }]) {
        await fails(replace(ITEMS, before, { ...before, ...taken }));
      }
      await succeeds(replace(ITEMS, before, { ...before, serial: null }));
    });
  });

  describe('a removal', () => {
    it('removes the record, and frees its id and its unique values', async () => {
      const item = await stored(ITEMS, anItem({ serial: 'serial' }));
      await succeeds(remove(ITEMS, item));
      expect(await store.find(ITEMS, { _id: item._id })).toBeNull();
      expect(await store.find(ITEMS, { code: item.code })).toBeNull();
      await succeeds(insert(ITEMS, item));
    });

    it('fails where the record has changed since, or is missing', async () => {
      const before = await stored(ITEMS, anItem());
      await succeeds(touch(ITEMS, before._id));
      await fails(remove(ITEMS, before));
      await fails(remove(ITEMS, anItem({ version: before.version })));
      await succeeds(remove(ITEMS, await found(ITEMS, before)));
      await fails(remove(ITEMS, before));
    });
  });

  describe('an increment', () => {
    it('adds to counters and gives a new version, as does a touch, which adds nothing', async () => {
      const before = await stored(SHELVES, aShelf({ items: 1, weight: -5 }));
      await succeeds(increment(SHELVES, before._id, { items: 2, weight: -3 }));
      const after = await found(SHELVES, before);
      expect(after).toStrictEqual({ ...before, items: 3, weight: -8, version: after.version });
      await fails(replace(SHELVES, before, before));
      await succeeds(touch(SHELVES, before._id));
      expect(unversioned(await found(SHELVES, before))).toStrictEqual(unversioned(after));
      await fails(remove(SHELVES, after));
    });

    it('fails where the record is missing', async () => {
      await fails(increment(SHELVES, newObjectId(), { items: 1 }));
      await fails(touch(SHELVES, newObjectId()));
      expect(await store.count(SHELVES, {})).toBe(0);
    });

    it.each<[string, string, Partial<Shelf>, Bounds<Shelf>]>([
      ['succeeds', 'a counter reaches its bound', {}, { atMost: { items: 6 } }],
      ['fails', 'a counter passes its bound', {}, { atMost: { items: 5 } }],
      ['succeeds', 'another counter is at its bound', {}, { atMost: { weight: 10 } }],
      ['fails', 'another counter has passed its bound', {}, { atMost: { items: 9, weight: 9 } }],
      ['succeeds', 'a field has a value', { label: 'top' }, { where: { label: 'top' } }],
      ['fails', 'a field has another value', { label: 'Top' }, { where: { label: 'top' } }],
      ['fails', 'a field is null', {}, { where: { label: 'top' } }],
      ['succeeds', 'a field is null as it has to be', {}, { where: { label: null } }],
      ['fails', 'a field is not null', { label: '' }, { where: { label: null } }],
      ['succeeds', 'a time is the same', { checkedAt: at(1) }, { where: { checkedAt: at(1) } }],
      ['fails', 'a time is another', { checkedAt: at(2) }, { where: { checkedAt: at(1) } }],
      ['succeeds', 'an id is the same', { account: OTHER }, { where: { account: OTHER } }],
      ['succeeds', 'two fields have their values', {}, { where: { items: 5, weight: 10 } }],
      ['fails', 'one of two fields has another value', {}, { where: { items: 5, weight: 9 } }],
    ])('%s where %s', async (outcome, _where, fields, bounds) => {
      const shelf = await stored(SHELVES, aShelf({ items: 5, weight: 10, ...fields }));
      const change = increment(SHELVES, shelf._id, { items: 1 }, bounds);
      await (outcome === 'fails' ? fails(change) : succeeds(change));
      const items = outcome === 'fails' ? 5 : 6;
      expect(unversioned(await found(SHELVES, shelf))).toEqual(unversioned({ ...shelf, items }));
    });
  });
});
