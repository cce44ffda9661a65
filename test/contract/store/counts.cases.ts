import { insert } from '../../../src/storage/changes.js';
import { stores } from '../engines.js';
import { ACCOUNT, anItem, aShelf, at, type Item, ITEMS, SHELVES } from '../records.js';
import { useStore } from '../use-store.js';

const OTHER = 'c'.repeat(24);
const DAY_MS = 24 * 60 * 60_000;
const OF_ACCOUNT = { account: ACCOUNT };

describe.each(stores)('a count on $name', (engine) => {
  const { store } = useStore(engine);
  const insertAll = (...items: Partial<Item>[]) =>
    store.commit(items.map((fields) => insert(ITEMS, anItem(fields))));

  it('counts by a unique field, null being one of its values', async () => {
    await insertAll({ serial: 'a' }, { serial: 'b' }, {}, {}, {});
    const shelves = [aShelf({ label: 'a' }), aShelf({ label: null }), aShelf({ label: null })];
    await store.commit(shelves.map((shelf) => insert(SHELVES, shelf)));
    expect(await store.count(ITEMS, {})).toBe(5);
    expect(await store.count(ITEMS, { serial: null })).toBe(3);
    expect(await store.count(ITEMS, { serial: 'a' })).toBe(1);
    expect(await store.count(ITEMS, { serial: { from: 'a' } })).toBe(2);
    expect(await store.count(ITEMS, { serial: { oneOf: ['b', 'c'] } })).toBe(1);
    expect(await store.count(SHELVES, { ...OF_ACCOUNT, label: null })).toBe(2);
    expect(await store.count(SHELVES, { ...OF_ACCOUNT, label: 'a' })).toBe(1);
    const byCreation = { by: 'createdAt', direction: 'asc' } as const;
    const unlabelled = await store.list(SHELVES, { ...OF_ACCOUNT, label: null }, byCreation, {
      limit: 9,
    });
    expect(unlabelled).toHaveLength(2);
  });

  it('counts by parts of time, each with its beginning, also before 1970', async () => {
    const times = [0, DAY_MS - 1, DAY_MS, 5 * DAY_MS + 1, -1, -DAY_MS, -DAY_MS - 1];
    await insertAll({ soldAt: null }, ...times.map((time) => ({ soldAt: new Date(time) })));
    const counts = await store.countBy(ITEMS, OF_ACCOUNT, 'soldAt', DAY_MS);
    const expected = { [-2]: 1, [-1]: 2, 0: 2, 1: 1, 5: 1, null: 1 };
    expect(Object.fromEntries(counts)).toEqual(expected);
  });

  it('of the newest of each parent has the order of the parents, the newest first, ties by id', async () => {
    const [first, second, none] = ['d', 'e', 'f'].map((digit) => digit.repeat(24));
    const newest = async (parents: unknown[], limit: number, filter = {}) =>
      (await store.newestOf(ITEMS, filter, 'shelf', parents as string[], limit)).map(
        ({ code }) => code,
      );
    await insertAll(
      ...[1, 3, 2].map((minute) => ({
        ...{ shelf: first!, code: `1.${minute}`, createdAt: at(minute), rank: minute % 2 },
      })),
      ...['1', '3', '2'].map((digit) => ({
        ...{ shelf: second!, code: `2.${digit}`, _id: digit.repeat(24) },
      })),
      { code: 'of no parent', createdAt: at(9) },
    );
    expect(await newest([first, none, second], 2)).toEqual(['1.3', '1.2', '2.3', '2.2']);
    expect(await newest([second, first], 1)).toEqual(['2.3', '1.3']);
    expect([await newest([none], 9), await newest([], 9)]).toEqual([[], []]);
    expect(await newest([first], 2, { rank: 1, price: null })).toEqual(['1.3', '1.1']);
    expect(await newest([first], 2, { account: OTHER })).toEqual([]);
  });
});
