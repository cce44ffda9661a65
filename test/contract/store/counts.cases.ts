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
  const sorted = (counts: ReadonlyMap<unknown, number>) =>
    [...counts].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));

  it('counts what a filter selects', async () => {
    await insertAll({}, { price: 1 }, { price: 2 }, { account: OTHER });
    expect(await store.count(ITEMS, {})).toBe(4);
    expect(await store.count(ITEMS, OF_ACCOUNT)).toBe(3);
    expect(await store.count(ITEMS, { ...OF_ACCOUNT, price: { from: 2 } })).toBe(1);
    expect(await store.count(ITEMS, { shelf: OTHER })).toBe(0);
  });

  it('counts by a unique field, null being one of its values', async () => {
    await insertAll({ serial: 'a' }, { serial: 'b' }, {}, {}, {});
    const shelves = [aShelf({ label: 'a' }), aShelf({ label: null }), aShelf({ label: null })];
    await store.commit(shelves.map((shelf) => insert(SHELVES, shelf)));
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

  it('ends at a maximum', async () => {
    await insertAll({}, {}, {});
    for (const [atMost, count] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 3],
    ] as const) {
      expect([atMost, await store.count(ITEMS, OF_ACCOUNT, atMost)]).toEqual([atMost, count]);
    }
  });

  it('counts by texts, ids and numbers, null being one of them', async () => {
    await insertAll({ price: 1, replaces: OTHER }, { price: 1 }, { price: 0 }, { state: 'old' });
    await insertAll({ account: OTHER, state: 'other' });
    const by = (field: 'state' | 'price' | 'replaces' | 'account') =>
      store.countBy(ITEMS, OF_ACCOUNT, field).then(sorted);
    expect(await by('state')).toEqual([
      ['new', 3],
      ['old', 1],
    ]);
    expect(await by('price')).toEqual([
      [0, 1],
      [1, 2],
      [null, 1],
    ]);
    expect(await by('replaces')).toEqual([
      [OTHER, 1],
      [null, 3],
    ]);
    expect(await by('account')).toEqual([[ACCOUNT, 4]]);
    expect(sorted(await store.countBy(ITEMS, { account: 'd'.repeat(24) }, 'state'))).toEqual([]);
  });

  it('counts by parts of time, each with its beginning, also before 1970', async () => {
    const times = [0, DAY_MS - 1, DAY_MS, 5 * DAY_MS + 1, -1, -DAY_MS, -DAY_MS - 1];
    await insertAll({ soldAt: null }, ...times.map((time) => ({ soldAt: new Date(time) })));
    expect(sorted(await store.countBy(ITEMS, OF_ACCOUNT, 'soldAt', DAY_MS))).toEqual([
      [-1, 2],
      [-2, 1],
      [0, 2],
      [1, 1],
      [5, 1],
      [null, 1],
    ]);
  });

  describe('of the newest of each parent', () => {
    const newest = async (parents: readonly string[], limit: number, filter = {}) =>
      (await store.newestOf(ITEMS, filter, 'shelf', parents, limit)).map(({ code }) => code);
    const [first, second, none] = ['d', 'e', 'f'].map((digit) => digit.repeat(24)) as [
      string,
      string,
      string,
    ];

    it('has the order of the parents, the newest first, ties by id', async () => {
      await insertAll(
        ...[1, 3, 2].map((minute) => ({
          shelf: first,
          code: `1.${minute}`,
          createdAt: at(minute),
        })),
        ...['1', '3', '2'].map((digit) => ({
          shelf: second,
          code: `2.${digit}`,
          _id: digit.repeat(24),
        })),
        { code: 'of no parent', createdAt: at(9) },
      );
      expect(await newest([first, none, second], 2)).toEqual(['1.3', '1.2', '2.3', '2.2']);
      expect(await newest([second, first], 1)).toEqual(['2.3', '1.3']);
      expect(await newest([first], 9)).toEqual(['1.3', '1.2', '1.1']);
      expect([await newest([none], 9), await newest([], 9)]).toEqual([[], []]);
    });

    it('is chosen among what a filter selects', async () => {
      await insertAll(
        ...[1, 2, 3].map((minute) => ({
          shelf: first,
          code: `${minute}`,
          createdAt: at(minute),
          rank: minute % 2,
          price: minute % 2 ? null : 1,
        })),
      );
      expect(await newest([first], 2, { rank: 1 })).toEqual(['3', '1']);
      expect(await newest([first], 2, { price: null, account: ACCOUNT })).toEqual(['3', '1']);
      expect(await newest([first], 2, { account: OTHER })).toEqual([]);
    });
  });

  it('is right for each of many callers', async () => {
    await insertAll(...[1, 2, 3, 3].map((rank) => ({ rank })));
    const ranks = Array.from({ length: 20 }, (_, index) => index % 4);
    const counts = ranks.map((rank) => store.count(ITEMS, { ...OF_ACCOUNT, rank }));
    expect(await Promise.all(counts)).toEqual(ranks.map((rank) => [0, 1, 1, 2][rank]));
  });
});
