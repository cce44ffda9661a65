import type { Filter } from '../../../src/storage/filter.js';
import type { ListPosition, Order } from '../../../src/storage/store.js';
import { stores } from '../engines.js';
import { ACCOUNT, anItem, at, type Item, ITEMS } from '../records.js';
import { useStored } from '../use-stored.js';

const OTHER = 'c'.repeat(24);

describe.each(stores)('a list on $name', (engine) => {
  const { store, stored } = useStored(engine);

  /** Reads a list page by page. */
  const readPages = async (filter: Filter<Item>, order: Order<Item>, limit: number) => {
    const shown: Item[] = [];
    for (let pages = 0; pages < 50; pages += 1) {
      const last = shown.at(-1);
      const value = last?.[order.by] as ListPosition['value'];
      const after = last && { value, _id: last._id };
      const page = await store.list(ITEMS, filter, order, { limit, after });
      shown.push(...page);
      if (page.length < limit) return shown;
    }
    throw new Error('A list has no end');
  };

  const codesOf = (items: readonly Item[]) => items.map(({ code }) => code).join(' ');

  it.each<[Order<Item>['by'], readonly Partial<Item>[]]>([
    [
      'createdAt',
      [at(-(10 ** 8)), new Date(-1), new Date(0), at(1), at(2)].map((createdAt) => ({ createdAt })),
    ],
    ['rank', [-(2 ** 40), -1, 0, 9, 10].map((rank) => ({ rank }))],
    ['name', ['', 'B', 'a', '\uffff', '\u{1f680}'].map((name) => ({ name }))],
    // The ties of one time.
    ['createdAt', ['0', '1', '9', 'a', 'f'].map((digit) => ({ _id: digit.repeat(24) }))],
  ])('has its order and its pages in both directions, by %s', async (by, ascending) => {
    const items = ascending.map((fields, index) => anItem({ code: `${index}`, ...fields }));
    for (const item of [3, 0, 4, 1, 2]) await stored(ITEMS, items[item]!);
    await stored(ITEMS, anItem({ account: OTHER, code: 'other' }));
    for (const limit of [1, 5, 9]) {
      const pages = (direction: 'asc' | 'desc') =>
        readPages({ account: ACCOUNT }, { by, direction }, limit).then(codesOf);
      expect(await pages('asc')).toBe('0 1 2 3 4');
      expect(await pages('desc')).toBe('4 3 2 1 0');
    }
  });

  it('begins after a position that no record has', async () => {
    for (const rank of [1, 3]) await stored(ITEMS, anItem({ rank, code: `${rank}` }));
    const after = (value: number, direction: 'asc' | 'desc') => {
      const order = { by: 'rank', direction } as const;
      const slice = { limit: 9, after: { value, _id: OTHER } };
      return store.list(ITEMS, { account: ACCOUNT }, order, slice).then(codesOf);
    };
    expect([await after(2, 'asc'), await after(2, 'desc')]).toEqual(['3', '1']);
    expect([await after(0, 'asc'), await after(0, 'desc')]).toEqual(['1 3', '']);
  });

  it('that no index serves is a bug, and so is a count', async () => {
    const by = (field: Order<Item>['by']) => ({ by: field, direction: 'desc' }) as const;
    const slice = { limit: 1 };
    const outcomes = await Promise.allSettled<unknown>([
      store.list(ITEMS, {}, by('state'), slice),
      store.list(ITEMS, { state: 'new' }, by('createdAt'), slice),
      store.list(ITEMS, { account: { oneOf: [OTHER] } }, by('createdAt'), slice),
      store.list(ITEMS, { shelf: OTHER }, by('rank'), slice),
      store.newestOf(ITEMS, {}, 'state', ['new'], 1),
      store.count(ITEMS, { state: 'new' }),
      store.count(ITEMS, { rank: { from: 1 } }),
      store.countBy(ITEMS, { state: 'new' }, 'state'),
    ]);
    const message = expect.stringMatching(/^No index of items serves /) as string;
    expect(outcomes).toMatchObject(
      outcomes.map(() => ({ status: 'rejected', reason: { message } })),
    );
  });
});
