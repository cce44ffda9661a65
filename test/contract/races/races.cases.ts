import {
  type Change,
  increment,
  insert,
  remove,
  removeAll,
  replace,
  touch,
} from '../../../src/storage/changes.js';
import type { Committed, Store } from '../../../src/storage/store.js';
import { timesInScope } from '../../scope.js';
import { stores } from '../engines.js';
import { anItem, aShelf, type Item, ITEMS, type Shelf, SHELVES } from '../records.js';
import { settingsOf, useInstances } from '../use-instances.js';

const ROUNDS = timesInScope(30);
describe.each(settingsOf(stores))('concurrent commits on $name', ({ engine, count }) => {
  const { store, atOnce } = useInstances(engine, count);

  const commitAll = (times: number, changesOf: (index: number) => Change[]) =>
    atOnce(times, (instance, index) => instance.commit(changesOf(index)));
  const succeeded = (outcomes: readonly Committed[]) => outcomes.filter(({ ok }) => ok).length;
  const find = async (_id: string, of: Store = store): Promise<Shelf | null> =>
    of.find(SHELVES, { _id });
  const add = async (fields: Partial<Shelf> = {}): Promise<Shelf> => {
    const shelf = aShelf(fields);
    await store.commit([insert(SHELVES, shelf)]);
    return (await find(shelf._id))!;
  };

  it('of counters add up', async () => {
    const [shelf, other] = [await add(), await add()];
    const outcomes = await commitAll(60, (index) => [
      increment(SHELVES, shelf._id, { items: 1, weight: index }),
      ...(index % 3 ? [increment(SHELVES, other._id, { items: -1 })] : []),
      ...(index % 2 ? [insert(ITEMS, anItem({ rank: index }))] : []),
    ]);
    expect(succeeded(outcomes)).toBe(60);
    expect(await find(shelf._id)).toMatchObject({ items: 60, weight: (59 * 60) / 2 });
    expect(await find(other._id)).toMatchObject({ items: -40 });
    expect(await store.count(ITEMS, {})).toBe(30);
  });

  it('pass no bound, and reach it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { _id } = await add();
      const outcomes = await commitAll(12, () => [
        increment(SHELVES, _id, { items: 2 }, { atMost: { items: 9 } }),
        insert(ITEMS, anItem({ shelf: _id })),
      ]);
      expect(succeeded(outcomes)).toBe(4);
      expect(await find(_id)).toMatchObject({ items: 8 });
      expect(await store.count(ITEMS, { shelf: _id })).toBe(4);
    }
  });

  it('replace what they have read once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await add();
      const outcomes = await commitAll(8, (index) => [
        replace(SHELVES, before, { ...before, weight: index }),
        ...(index % 2 ? [insert(ITEMS, anItem({ shelf: before._id, rank: index }))] : []),
      ]);
      expect(succeeded(outcomes)).toBe(1);
      const winner = outcomes.findIndex(({ ok }) => ok);
      expect(await find(before._id)).toMatchObject({ weight: winner });
      expect(await store.count(ITEMS, { shelf: before._id })).toBe(winner % 2);
    }
  });

  it('give a unique value to one record', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { _id } = await add();
      const unique: Partial<Item>[] = [
        { code: `code ${round}` },
        { shelf: _id, name: 'name' },
        { serial: `serial ${round}` },
      ];
      const taken = anItem({ ...unique[round % 3] });
      const outcomes = await commitAll(6, (index) => [
        insert(ITEMS, { ...anItem({ rank: index }), ...unique[round % 3] }),
        ...(index % 2 ? [increment(SHELVES, _id, { items: 1 })] : []),
      ]);
      expect(succeeded(outcomes)).toBe(1);
      const winner = outcomes.findIndex(({ ok }) => ok);
      expect(await find(_id)).toMatchObject({ items: winner % 2 });
      expect(await store.commit([insert(ITEMS, taken)])).toMatchObject({ ok: false });
    }
  });

  it('remove a record, or make a change on condition that it exists', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const shelf = await add();
      const [removed, ...added] = await commitAll(4, (index) =>
        index === round % 2
          ? [remove(SHELVES, shelf)]
          : [touch(SHELVES, shelf._id), insert(ITEMS, anItem({ shelf: shelf._id }))],
      ).then((outcomes) => [outcomes[round % 2]!, ...outcomes.filter((_, i) => i !== round % 2)]);
      const left = await find(shelf._id);
      expect(removed!.ok).toBe(left === null);
      expect(succeeded(added)).toBe(removed!.ok ? 0 : 3);
      expect(await store.count(ITEMS, { shelf: shelf._id })).toBe(succeeded(added));
    }
  });

  it('move an item between two shelves, in both directions, without a trace of those that fail', async () => {
    const [one, other] = [await add({ items: 5 }), await add({ items: 5 })];
    const outcomes = await commitAll(40, (index) => {
      const [from, to] = index % 2 ? [one, other] : [other, one];
      return [
        increment(SHELVES, from._id, { items: -1 }),
        increment(SHELVES, to._id, { items: 1 }, { atMost: { items: 7 } }),
      ];
    });
    const [first, second] = [(await find(one._id))!, (await find(other._id))!];
    expect(first.items + second.items).toBe(10);
    const moved = (odd: number) =>
      outcomes.filter(({ ok }, index) => ok && index % 2 === odd).length;
    expect(second.items - 5).toBe(moved(1) - moved(0));
  });

  it('of records that others remove by a filter leave none behind', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const shelf = await add();
      await Promise.all(
        [1, 2, 3].map(() => store.commit([insert(ITEMS, anItem({ shelf: shelf._id }))])),
      );
      const [removal, ...added] = await commitAll(3, (index) =>
        index === 0
          ? [remove(SHELVES, shelf), removeAll(ITEMS, { shelf: shelf._id })]
          : [touch(SHELVES, shelf._id), insert(ITEMS, anItem({ shelf: shelf._id }))],
      );
      expect(await store.count(ITEMS, { shelf: shelf._id })).toBe(
        removal!.ok ? 0 : 3 + succeeded(added),
      );
    }
  });

  it('are seen by every read that begins afterwards', async () => {
    const { _id } = await add();
    for (let round = 0; round < ROUNDS; round += 1) {
      const item = anItem({ shelf: _id });
      await atOnce(1, (instance) =>
        instance.commit([increment(SHELVES, _id, { items: 1 }), insert(ITEMS, item)]),
      );
      const seen = await atOnce(2 * count, async (instance, index) =>
        index < count
          ? (await instance.find(ITEMS, { code: item.code })) && (await find(_id, instance))
          : { items: await instance.count(ITEMS, { shelf: _id }) },
      );
      expect(seen).toMatchObject(seen.map(() => ({ items: round + 1 })));
    }
  });
});
