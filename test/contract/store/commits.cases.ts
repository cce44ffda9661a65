import {
  type Change,
  insert,
  remove,
  removeAll,
  replace,
  setAll,
} from '../../../src/storage/changes.js';
import { stores } from '../engines.js';
import { anItem, at, ITEMS } from '../records.js';
import { useStore } from '../use-store.js';

const OTHER = 'c'.repeat(24);

// The conditions of each change, and that all of a commit are made or none, are compared with the model: see races/model.cases.ts.
describe.each(stores)('a commit on $name', (engine) => {
  const { store, stored, found } = useStore(engine);

  const codes = async () => {
    const order = { by: '_id', direction: 'asc' } as const;
    const items = await store.list(ITEMS, {}, order, { limit: 100 });
    return items.map(({ code }) => code).toSorted();
  };

  it('makes changes in the order of their kinds, whatever the order in which they are given', async () => {
    const named = (code: string) => stored(ITEMS, anItem({ code }));
    const [replaced, removed] = [await named('replaced'), await named('removed')];
    await stored(ITEMS, anItem({ code: 'dropped', shelf: OTHER }));
    const kept = await stored(ITEMS, anItem({ code: 'kept', shelf: OTHER }));
    // Some are removed before others are set.
    const committed = await store.commit([
      insert(ITEMS, anItem({ code: 'removed' })),
      remove(ITEMS, removed),
      replace(ITEMS, replaced, { ...replaced, code: 'dropped' }),
      setAll(ITEMS, { shelf: OTHER }, { rank: 9 }),
      removeAll(ITEMS, { shelf: OTHER, code: 'dropped' }),
    ]);
    expect(committed).toStrictEqual({ ok: true, affected: 2 });
    expect(await codes()).toEqual(['dropped', 'kept', 'removed']);
    expect(await found(ITEMS, kept)).toMatchObject({ rank: 9 });
  });

  it('makes changes of one kind in their order', async () => {
    const one = await stored(ITEMS, anItem({ code: 'one' }));
    const other = await stored(ITEMS, anItem({ code: 'other' }));
    const giving = replace(ITEMS, one, { ...one, code: 'next' });
    const taking = replace(ITEMS, other, { ...other, code: 'one' });
    expect(await store.commit([taking, giving])).toStrictEqual({ ok: false, failed: taking });
    expect(await store.commit([giving, taking])).toMatchObject({ ok: true });
    expect(await codes()).toEqual(['next', 'one']);
  });

  it('removes and sets up to a limit of what a filter selects, so that steps come to an end', async () => {
    const shelf = { shelf: OTHER };
    for (let count = 0; count < 4; count += 1) await stored(ITEMS, anItem(shelf));
    await stored(ITEMS, anItem());
    const affectedBy = async (step: Change) => {
      const committed = await store.commit([step]);
      return committed.ok && committed.affected;
    };
    for (const affected of [3, 1, 0]) {
      const step = setAll(ITEMS, { ...shelf, rank: 1 }, { rank: 2 }, 3);
      expect(await affectedBy(step)).toBe(affected);
    }
    for (const affected of [3, 1, 0]) {
      expect(await affectedBy(removeAll(ITEMS, shelf, 3))).toBe(affected);
    }
    expect(await codes()).toHaveLength(1);
  });

  it('stores the declared fields of a record, whatever the caller changes afterwards', async () => {
    const item = anItem({ details: { list: [1] }, soldAt: at(1) });
    const more = { ...item, undeclared: 'x' };
    expect(await stored(ITEMS, more)).not.toHaveProperty('undeclared');
    (item.details as { list: number[] }).list.push(2);
    item.soldAt!.setTime(0);
    expect(await found(ITEMS, item)).toMatchObject({ details: { list: [1] }, soldAt: at(1) });
  });
});
