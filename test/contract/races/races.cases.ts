import {
  type Bounds,
  type Change,
  increment,
  insert,
  remove,
  removeAll,
  touch,
} from '../../../src/storage/changes.js';
import type { Committed } from '../../../src/storage/store.js';
import { timesInScope } from '../../scope.js';
import { stores } from '../engines.js';
import { anItem, aShelf, ITEMS, type Shelf, SHELVES } from '../records.js';
import { settingsOf, useInstances } from '../use-instances.js';

const ROUNDS = timesInScope(5);

describe.each(settingsOf(stores))('concurrent commits on $name', ({ engine, count }) => {
  const { store, atOnce } = useInstances(engine, count);

  const commitAll = (times: number, changesOf: (index: number) => Change[]) =>
    atOnce(times, (instance, index) => instance.commit(changesOf(index)));
  const succeeded = (outcomes: readonly Committed[]) => outcomes.filter(({ ok }) => ok).length;
  const find = (_id: string) => store.find(SHELVES, { _id });
  const add = async (fields: Partial<Shelf> = {}): Promise<Shelf> => {
    const shelf = aShelf(fields);
    await store.commit([insert(SHELVES, shelf)]);
    return (await find(shelf._id))!;
  };

  it('pass no bound, and reach it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { _id } = await add();
      const outcomes = await commitAll(12, () => [
        increment(SHELVES, _id, { items: 2 }, { atMost: { items: 8 } }),
        insert(ITEMS, anItem({ shelf: _id })),
      ]);
      expect(succeeded(outcomes)).toBe(4);
      expect(await find(_id)).toMatchObject({ items: 8 });
      expect(await store.count(ITEMS, { shelf: _id })).toBe(4);
    }
  });

  it.each<[string, number, readonly Bounds<Shelf>[], number, number]>([
    [
      'two bounds',
      0,
      [...Array<Bounds<Shelf>>(3).fill({ atMost: { items: 2 } }), { atMost: { items: 6 } }],
      1,
      3,
    ],
    ['a bound that was passed before', 5, Array(2).fill({ atMost: { items: 3 } }), -1, 0],
    ['two values', 0, [{ where: { label: null } }, { where: { label: 'a' } }], 1, 1],
  ])('hold each counter to its own condition, of %s', async (_of, items, bounds, by, most) => {
    const { _id } = await add({ items });
    const outcomes = await commitAll(bounds.length, (index) => [
      increment(SHELVES, _id, { items: by }, bounds[index]),
      insert(ITEMS, anItem({ shelf: _id })),
    ]);
    expect(succeeded(outcomes)).toBeLessThanOrEqual(most);
    expect(await find(_id)).toMatchObject({ items: items + by * succeeded(outcomes) });
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
});
