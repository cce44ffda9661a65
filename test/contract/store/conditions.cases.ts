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

    it('fails where another record has its unique set of values, of which some may be null', async () => {
      const { label } = await stored(SHELVES, aShelf({ label: 'top' }));
      await fails(insert(SHELVES, aShelf({ label })));
      await succeeds(insert(SHELVES, aShelf({ label, account: newObjectId() })));
    });

    it('succeeds where others have one value of a set, or null', async () => {
      const { name, shelf } = await stored(ITEMS, anItem());
      await succeeds(insert(ITEMS, anItem({ name, shelf: newObjectId() })));
      await succeeds(insert(ITEMS, anItem({ shelf })));
      await stored(SHELVES, aShelf({ label: null }));
      await succeeds(insert(SHELVES, aShelf({ label: null })));
    });

    it('tells texts apart by every character', async () => {
      for (const code of ['acme', 'Acme', 'acme ', 'a\u0301cme', '\u00e1cme']) {
        await succeeds(insert(ITEMS, anItem({ code })));
      }
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

    it('fails where the record has changed since, though it has the same values again', async () => {
      const first = await stored(ITEMS, anItem());
      await succeeds(replace(ITEMS, first, { ...first, rank: 2 }));
      const second = await found(ITEMS, first);
      await succeeds(replace(ITEMS, second, { ...second, rank: 1 }));
      for (const before of [first, second, { ...second, version: NOT_STORED }]) {
        await fails(replace(ITEMS, before, { ...before, rank: 3 }));
      }
      expect(await found(ITEMS, first)).toMatchObject({ rank: 1 });
    });

    it('fails where the record is missing', async () => {
      const item = anItem({ version: 1 });
      await fails(replace(ITEMS, item, item));
      expect(await store.count(ITEMS, {})).toBe(0);
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

    it('frees the unique values that it gives up', async () => {
      const before = await stored(ITEMS, anItem({ serial: 'serial' }));
      await succeeds(replace(ITEMS, before, { ...before, code: 'next', serial: null }));
      expect(await store.find(ITEMS, { code: before.code })).toBeNull();
      expect(await store.find(ITEMS, { code: 'next' })).toMatchObject({ _id: before._id });
      await succeeds(insert(ITEMS, anItem({ code: before.code, serial: 'serial' })));
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
    it('adds to counters and gives a new version', async () => {
      const before = await stored(SHELVES, aShelf({ items: 1, weight: -5 }));
      await succeeds(increment(SHELVES, before._id, { items: 2, weight: -3 }));
      const after = await found(SHELVES, before);
      expect(after).toStrictEqual({ ...before, items: 3, weight: -8, version: after.version });
      await fails(replace(SHELVES, before, before));
    });

    it('fails where the record is missing', async () => {
      await fails(increment(SHELVES, newObjectId(), { items: 1 }));
      expect(await store.count(SHELVES, {})).toBe(0);
    });

    it.each<[string, Partial<Shelf>, Bounds<Shelf>]>([
      ['a counter reaches its bound', {}, { atMost: { items: 6 } }],
      ['another counter is at its bound', {}, { atMost: { weight: 10 } }],
      ['a field has a value', { label: 'top' }, { where: { label: 'top' } }],
      ['a field is null', {}, { where: { label: null } }],
      ['a time is the same', { checkedAt: at(1) }, { where: { checkedAt: at(1) } }],
      ['an id is the same', { account: 'c'.repeat(24) }, { where: { account: 'c'.repeat(24) } }],
      ['two fields have their values', { items: 5 }, { where: { items: 5, weight: 10 } }],
    ])('succeeds where %s', async (_where, fields, bounds) => {
      const shelf = await stored(SHELVES, aShelf({ items: 5, weight: 10, ...fields }));
      await succeeds(increment(SHELVES, shelf._id, { items: 1 }, bounds));
      expect(await found(SHELVES, shelf)).toMatchObject({ items: 6, weight: 10 });
    });

    it.each<[string, Partial<Shelf>, Bounds<Shelf>]>([
      ['a counter passes its bound', {}, { atMost: { items: 5 } }],
      ['another counter has passed its bound', {}, { atMost: { items: 9, weight: 9 } }],
      ['a field has another value', { label: 'Top' }, { where: { label: 'top' } }],
      ['a field is null', {}, { where: { label: 'top' } }],
      ['a field is not null', { label: '' }, { where: { label: null } }],
      ['a time is another', { checkedAt: at(2) }, { where: { checkedAt: at(1) } }],
      ['one of two fields has another value', {}, { where: { items: 5, weight: 9 } }],
    ])('fails where %s', async (_where, fields, bounds) => {
      const shelf = await stored(SHELVES, aShelf({ items: 5, weight: 10, ...fields }));
      await fails(increment(SHELVES, shelf._id, { items: 1 }, bounds));
      expect(await found(SHELVES, shelf)).toStrictEqual(shelf);
    });

    it('takes counters below zero, and down to a bound that they have passed', async () => {
      const { _id } = await stored(SHELVES, aShelf({ items: 5 }));
      await fails(increment(SHELVES, _id, { items: -1 }, { atMost: { items: 3 } }));
      await succeeds(increment(SHELVES, _id, { items: -2 }, { atMost: { items: 3 } }));
      await succeeds(increment(SHELVES, _id, { items: -9 }));
      expect(await store.find(SHELVES, { _id })).toMatchObject({ items: -6 });
    });
  });

  describe('a touch', () => {
    it('gives an existing record a new version, and changes nothing else', async () => {
      const before = await stored(SHELVES, aShelf());
      await succeeds(touch(SHELVES, before._id));
      const after = await found(SHELVES, before);
      expect(after.version).not.toBe(before.version);
      expect(unversioned(after)).toStrictEqual(unversioned(before));
      await fails(remove(SHELVES, before));
      await fails(touch(SHELVES, newObjectId()));
    });
  });
});
