import { newObjectId } from '../../../src/shared/ids/object-id.js';
import {
  type Change,
  increment,
  insert,
  remove,
  removeAll,
  replace,
  setAll,
  touch,
} from '../../../src/storage/changes.js';
import { engines, stores } from '../engines.js';
import { aLabel, anItem, aShelf, at, type Item, ITEMS, LABELS, SHELVES } from '../records.js';
import { useStored } from '../use-stored.js';

const OTHER = 'c'.repeat(24);

describe.each(stores)('a commit of several changes on $name', (engine) => {
  const { store, stored, found, outcomeOf } = useStored(engine);

  const codes = async () => {
    const order = { by: '_id', direction: 'asc' } as const;
    const items = await store.list(ITEMS, {}, order, { limit: 100 });
    return items.map(({ code }) => code).toSorted();
  };

  it('of every kind makes them all, whatever their order', async () => {
    const named = (code: string) => stored(ITEMS, anItem({ code }));
    const [replaced, removed] = [await named('replaced'), await named('removed')];
    for (const code of ['dropped', 'kept']) await stored(ITEMS, anItem({ code, shelf: OTHER }));
    const shelf = await stored(SHELVES, aShelf());
    // Some are removed before others are set.
    const committed = await store.commit([
      insert(ITEMS, anItem({ code: 'removed' })),
      insert(LABELS, aLabel('label')),
      remove(ITEMS, removed),
      replace(ITEMS, replaced, { ...replaced, code: 'dropped' }),
      increment(SHELVES, shelf._id, { items: 1 }),
      setAll(ITEMS, { shelf: OTHER }, { rank: 9 }),
      removeAll(ITEMS, { shelf: OTHER, code: 'dropped' }),
    ]);
    expect(committed).toStrictEqual({ ok: true, affected: 2 });
    expect(await codes()).toEqual(['dropped', 'kept', 'removed']);
    expect(await store.find(ITEMS, { code: 'kept' })).toMatchObject({ rank: 9 });
    expect(await store.find(ITEMS, { code: 'dropped' })).toMatchObject({ _id: replaced._id });
    expect(await store.find(ITEMS, { code: 'removed' })).not.toMatchObject({ _id: removed._id });
    expect(await found(SHELVES, shelf)).toMatchObject({ items: 1 });
    expect(await store.find(LABELS, { _id: 'label' })).toMatchObject({ text: 'text of label' });
  });

  it('makes changes of one kind in their order', async () => {
    const one = await stored(ITEMS, anItem({ code: 'one' }));
    const other = await stored(ITEMS, anItem({ code: 'other' }));
    const giving = replace(ITEMS, one, { ...one, code: 'next' });
    const taking = replace(ITEMS, other, { ...other, code: 'one' });
    expect(await outcomeOf([taking, giving])).toBe(taking);
    expect(await outcomeOf([giving, taking])).toBeUndefined();
    expect(await codes()).toEqual(['next', 'one']);
  });

  describe('of which one fails', () => {
    let before: Item;
    let succeeding: Change[];
    let whole: unknown;
    const content = async () => [
      await Promise.all(['a', 'b', 'c'].map((code) => store.find(ITEMS, { code }))),
      await store.count(ITEMS, {}),
      await store.count(SHELVES, {}),
      await found(SHELVES, shelf),
    ];
    const shelf = aShelf();
    beforeEach(async () => {
      await stored(SHELVES, shelf);
      before = await stored(ITEMS, anItem({ code: 'a', serial: 'serial' }));
      const removed = await stored(ITEMS, anItem({ code: 'b' }));
      await stored(ITEMS, anItem({ code: 'c', shelf: OTHER }));
      await stored(ITEMS, anItem({ code: 'd', shelf: OTHER }));
      succeeding = [
        removeAll(ITEMS, { code: 'c' }),
        setAll(ITEMS, { code: 'd' }, { rank: 9 }),
        increment(SHELVES, shelf._id, { items: 1 }),
        replace(ITEMS, before, { ...before, code: 'next' }),
        remove(ITEMS, removed),
        insert(ITEMS, anItem({ code: 'e' })),
      ];
      whole = await content();
    });

    const missing = anItem({ version: 1 });
    it.each<[string, () => Change]>([
      ['an increment', () => increment(SHELVES, newObjectId(), { items: 1 })],
      ['a touch', () => touch(ITEMS, missing._id)],
      ['a replacement', () => replace(ITEMS, missing, missing)],
      ['a removal', () => remove(ITEMS, missing)],
      ['an insert', () => insert(SHELVES, shelf)],
      ['an insert in a collection of its own', () => insert(ITEMS, anItem({ serial: 'serial' }))],
    ])('changes nothing where that is %s, which it names', async (_kind, change) => {
      const failing = change();
      expect(await outcomeOf([...succeeding, failing])).toBe(failing);
      expect(await outcomeOf([failing, ...succeeding])).toBe(failing);
      expect(await content()).toStrictEqual(whole);
      expect(await outcomeOf(succeeding)).toBeUndefined();
    });
  });

  describe('that removes or sets all that a filter selects', () => {
    const shelf = { shelf: OTHER };
    beforeEach(async () => {
      for (const price of [1, 2, null, null]) await stored(ITEMS, anItem({ price, ...shelf }));
      await stored(ITEMS, anItem({ price: 1 }));
    });

    it('removes and sets up to its limit, so that steps come to an end', async () => {
      const steps = [3, 1, 0];
      for (const affected of steps) {
        const step = setAll(ITEMS, { ...shelf, rank: 1 }, { rank: 2 }, 3);
        expect(await store.commit([step])).toStrictEqual({ ok: true, affected });
      }
      for (const affected of steps) {
        expect(await store.commit([removeAll(ITEMS, shelf, 3)])).toMatchObject({ affected });
      }
      expect(await codes()).toHaveLength(1);
    });

    it('sets each field, gives new versions, and counts a record that has the values already', async () => {
      const before = (await store.find(ITEMS, { code: (await codes())[0]! }))!;
      const fields = { price: null, soldAt: at(-1), note: { a: [null] }, labels: ['x'] };
      const set = setAll(ITEMS, { _id: before._id }, fields);
      for (const step of [1, 2]) {
        expect([step, await store.commit([set])]).toStrictEqual([step, { ok: true, affected: 1 }]);
      }
      const after = await found(ITEMS, before);
      expect(after).toStrictEqual({ ...before, ...fields, version: after.version });
      expect(after.version).not.toBe(before.version);
    });

    it('is seen by reads by key, which may have been kept in memory', async () => {
      await stored(ITEMS, anItem({ code: 'code', account: OTHER }));
      await store.commit([setAll(ITEMS, { account: OTHER }, { rank: 7 })]);
      expect(await store.find(ITEMS, { code: 'code' })).toMatchObject({ rank: 7 });
      await store.commit([removeAll(ITEMS, { account: OTHER })]);
      expect(await store.find(ITEMS, { code: 'code' })).toBeNull();
    });
  });
});

describe.each(engines)('a commit on $name', (engine) => {
  const { store } = useStored(engine);

  it('is made, however many others wait', async () => {
    const commits = Array.from({ length: 1_024 }, (_, index) =>
      store.commit([insert(LABELS, aLabel(`${index}`)), insert(LABELS, aLabel(`and ${index}`))]),
    );
    expect(new Set((await Promise.all(commits)).map(({ ok }) => ok))).toEqual(new Set([true]));
    expect(await store.count(LABELS, {})).toBe(2_048);
  });
});
