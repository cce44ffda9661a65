import { insert, remove } from '../../../src/storage/changes.js';
import type { Filter } from '../../../src/storage/filter.js';
import type { ListPosition, Order } from '../../../src/storage/store.js';
import { stores } from '../engines.js';
import { ACCOUNT, anItem, at, type Item, ITEMS, LABELS, aLabel } from '../records.js';
import { useStored } from '../use-stored.js';

const OTHER = 'c'.repeat(24);
const BOTH = ['asc', 'desc'] as const;

describe.each(stores)('a list on $name', (engine) => {
  const { store, stored } = useStored(engine);

  const positionOf = (item: Item, by: Order<Item>['by']): ListPosition => ({
    value: item[by] as ListPosition['value'],
    _id: item._id,
  });

  /** Reads a list page by page, and calls `between` before each further page. */
  const readPages = async (
    filter: Filter<Item>,
    order: Order<Item>,
    limit: number,
    between: () => Promise<unknown> = async () => undefined,
  ) => {
    const shown: Item[] = [];
    for (let pages = 0; pages < 50; pages += 1) {
      const last = shown.at(-1);
      const after = last && positionOf(last, order.by);
      const page = await store.list(ITEMS, filter, order, { limit, after });
      shown.push(...page);
      if (page.length < limit) return shown;
      await between();
    }
    throw new Error('A list has no end');
  };

  const codesOf = (items: readonly Item[]) => items.map(({ code }) => code).join(' ');

  describe.each<[Order<Item>['by'], readonly Partial<Item>[]]>([
    [
      'createdAt',
      [at(-(10 ** 8)), new Date(-1), new Date(0), at(1), at(2)].map((createdAt) => ({ createdAt })),
    ],
    ['rank', [-(2 ** 40), -1, 0, 9, 10].map((rank) => ({ rank }))],
    ['name', ['', 'B', 'a', '\uffff', '\u{1f680}'].map((name) => ({ name }))],
    ['_id', ['0', '1', '9', 'a', 'f'].map((digit) => ({ _id: digit.repeat(24) }))],
  ])('by %s', (by, ascending) => {
    beforeEach(async () => {
      const items = ascending.map((fields, index) => anItem({ code: `${index}`, ...fields }));
      for (const item of [3, 0, 4, 1, 2]) await stored(ITEMS, items[item]!);
      if (by !== '_id') await stored(ITEMS, anItem({ account: OTHER, code: 'other' }));
    });
    const filter = by === '_id' ? {} : { account: ACCOUNT };

    it.each([
      ['asc', '0 1 2 3 4'],
      ['desc', '4 3 2 1 0'],
    ] as const)('has its order and its pages, %s', async (direction, codes) => {
      const order = { by, direction };
      expect(codesOf(await store.list(ITEMS, filter, order, { limit: 9 }))).toBe(codes);
      for (const limit of [1, 2, 5]) {
        expect(codesOf(await readPages(filter, order, limit))).toBe(codes);
      }
    });
  });

  it.each(BOTH)('sorts ties by id, in the direction of the list: %s', async (direction) => {
    const ids = ['3', '1', '2', '4'].map((digit) => digit.repeat(24));
    for (const _id of ids) await stored(ITEMS, anItem({ _id }));
    const order = { by: 'createdAt', direction } as const;
    const sorted = direction === 'asc' ? ids.toSorted() : ids.toSorted().reverse();
    for (const limit of [1, 3]) {
      const items = await readPages({ account: ACCOUNT }, order, limit);
      expect(items.map(({ _id }) => _id)).toEqual(sorted);
    }
  });

  it('has what its filter selects, also of other fields than those of its index', async () => {
    for (const rank of [1, 2, 3, 4, 5]) {
      await stored(ITEMS, anItem({ code: `${rank}`, rank, price: rank % 2 ? null : rank }));
    }
    const filter: Filter<Item> = { account: ACCOUNT, or: [{ price: { from: 4 } }, { code: '3' }] };
    for (const limit of [1, 9]) {
      expect(codesOf(await readPages(filter, { by: 'rank', direction: 'desc' }, limit))).toBe(
        '4 3',
      );
    }
    const none = await store.list(
      ITEMS,
      { account: OTHER },
      { by: 'rank', direction: 'asc' },
      { limit: 1 },
    );
    expect(none).toEqual([]);
  });

  it('begins after a position that no record has', async () => {
    for (const rank of [1, 3]) await stored(ITEMS, anItem({ rank, code: `${rank}` }));
    const after = (value: number, direction: 'asc' | 'desc') =>
      store
        .list(
          ITEMS,
          { account: ACCOUNT },
          { by: 'rank', direction },
          { limit: 9, after: { value, _id: OTHER } },
        )
        .then(codesOf);
    expect([await after(2, 'asc'), await after(2, 'desc')]).toEqual(['3', '1']);
    expect([await after(0, 'asc'), await after(0, 'desc')]).toEqual(['1 3', '']);
  });

  it.each(BOTH)('shows each record once, while others come and go: %s', async (direction) => {
    const order = { by: 'createdAt', direction } as const;
    const kept = await Promise.all(
      Array.from({ length: 12 }, (_, index) => stored(ITEMS, anItem({ createdAt: at(index % 4) }))),
    );
    let step = 0;
    const comeAndGo = async () => {
      const [first, last] = [anItem({ createdAt: at(-1) }), anItem({ createdAt: at(9) })];
      const amid = anItem({ createdAt: at((step += 1) % 4) });
      await store.commit([first, last, amid].map((item) => insert(ITEMS, item)));
      const gone = await store.find(ITEMS, { _id: amid._id });
      if (step % 2) await store.commit([remove(ITEMS, gone!)]);
    };
    const shown = await readPages({ account: ACCOUNT }, order, 5, comeAndGo);
    const ids = shown.map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(kept.map(({ _id }) => _id)));
  });

  it('continues after a record that was removed', async () => {
    const items: Item[] = [];
    for (const rank of [1, 2, 3])
      items.push(await stored(ITEMS, anItem({ rank, code: `${rank}` })));
    const order = { by: 'rank', direction: 'asc' } as const;
    const rest = await readPages({ account: ACCOUNT }, order, 2, () =>
      store.commit([remove(ITEMS, items[1]!)]),
    );
    expect(codesOf(rest)).toBe('1 2 3');
  });

  it('of a collection with texts as ids is sorted by their bytes', async () => {
    const ids = ['B', 'a', '\uffff', '\u{1f680}'];
    for (const _id of ids.toReversed()) await store.commit([insert(LABELS, aLabel(_id))]);
    const order = { by: '_id', direction: 'asc' } as const;
    const after = { value: 'a', _id: 'a' };
    expect(
      (await store.list(LABELS, {}, order, { limit: 9, after })).map(({ _id }) => _id),
    ).toEqual(ids.slice(2));
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
