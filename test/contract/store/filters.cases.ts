import { insert } from '../../../src/storage/changes.js';
import { type Filter, given } from '../../../src/storage/filter.js';
import type { Store } from '../../../src/storage/store.js';
import { stores } from '../engines.js';
import { ACCOUNT, anItem, at, type Item, ITEMS } from '../records.js';
import { useStore } from '../use-store.js';

const OTHER = 'c'.repeat(24);
const NAMES = ['Acme', 'acme', 'ACME_1', 'a.c', 'abc', 'a%c', 'a\\c', '[a]', '\u00e9', 'e\u0301'];

/** The codes of the records that a filter selects, by each read that takes one. */
async function selected(store: Store, filter: Filter<Item>): Promise<string> {
  const ofAccount: Filter<Item> = { account: ACCOUNT, ...filter };
  const order = { by: 'rank', direction: 'asc' } as const;
  const listed = (await store.list(ITEMS, ofAccount, order, { limit: 100 })).map((one) => one.code);
  const counted = [...(await store.countBy(ITEMS, ofAccount, 'code')).keys()] as string[];
  expect(counted.toSorted()).toEqual(listed.toSorted());
  expect(await store.count(ITEMS, ofAccount)).toBe(listed.length);
  return listed.join(' ');
}

describe.each(stores)('a filter on $name', (engine) => {
  const { store } = useStore(engine);

  describe('of values', () => {
    beforeEach(async () => {
      const items = [
        { code: 'a', state: 'new', price: 1, soldAt: null, replaces: OTHER },
        { code: 'b', state: 'new', price: null, soldAt: at(1), replaces: null },
        { code: 'c', state: 'old', price: 2, soldAt: at(2), replaces: ACCOUNT },
        { code: 'd', state: 'old', price: -3, soldAt: at(-(10 ** 8)), replaces: OTHER },
      ];
      const records = items.map((item, rank) => anItem({ ...item, rank }));
      const foreign = anItem({ code: 'e', account: OTHER });
      await store.commit([...records, foreign].map((item) => insert(ITEMS, item)));
    });

    it.each<[string, Filter<Item>]>([
      ['a b c d', {}],
      ['a b', { state: 'new' }],
      ['b', { price: null }],
      ['a c d', { price: { not: null } }],
      ['a c', { code: { oneOf: ['a', 'c', 'x', 'a'] } }],
      ['', { code: { oneOf: [] } }],
      ['b c', { soldAt: { oneOf: [at(1), at(2)] } }],
      ['a c d', { replaces: { oneOf: [OTHER, ACCOUNT] } }],
      ['a c', { price: { from: 1 } }],
      ['a', { price: { from: -2, before: 2 } }],
      ['b', { soldAt: { from: at(1), before: new Date(at(1).getTime() + 1) } }],
      ['b c d', { code: { from: 'b' } }],
      ['c', { price: { from: 1, oneOf: [-3, 2] } }],
      ['', { or: [] }],
      ['c', { and: [{ state: 'old' }, { price: { from: 0 } }] }],
      [
        'b c',
        { and: [{ or: [{ code: 'b' }, { code: 'c' }] }, { or: [{ price: 2 }, { price: null }] }] },
      ],
      ['a b c d', given({ state: undefined })],
    ])('selects "%s" by %j', async (codes, filter) => {
      expect(await selected(store, filter)).toBe(codes);
    });
  });

  describe('of parts of texts', () => {
    beforeEach(() =>
      store.commit(NAMES.map((name, rank) => insert(ITEMS, anItem({ code: name, name, rank })))),
    );

    it.each([
      ...['a', 'A', 'acme', 'a.', 'a%', '%', '_', '.', '.*', '[', '\\', 'a\\', '[a]', 'e'],
      ...['\u00e9', '$', '^a', '*', '?'],
    ])('takes every character of "%s" literally', async (part) => {
      const having = (has: (name: string) => boolean) => NAMES.filter(has).join(' ');
      expect(await selected(store, { name: { startsWith: part } })).toBe(
        having((name) => name.startsWith(part)),
      );
      expect(await selected(store, { name: { contains: part } })).toBe(
        having((name) => name.includes(part)),
      );
    });
  });

  it.each<unknown>([{ $ne: null }, { oneOf: [{ $ne: '' }] }, ['new'], undefined])(
    'with an operator in place of a value is a bug of each read: %j',
    async (operator) => {
      const filter = { account: ACCOUNT, or: [{ state: operator }] } as Filter<Item>;
      const order = { by: 'createdAt', direction: 'asc' } as const;
      for (const read of [
        () => store.list(ITEMS, filter, order, { limit: 1 }),
        () => store.count(ITEMS, filter),
        () => store.countBy(ITEMS, filter, 'state'),
        () => store.newestOf(ITEMS, filter, 'shelf', [OTHER], 1),
      ]) {
        await expect(read()).rejects.toThrow(/compared/);
      }
    },
  );

  it.each(['{"$ne":null}', '$ne', "' OR 1=1 --", 'new\\', '%', '$state'])(
    'selects nothing by a text like an operator: %s',
    async (state) => {
      await store.commit([insert(ITEMS, anItem({ state: 'new' }))]);
      expect(await selected(store, { state: { oneOf: [state] } })).toBe('');
      expect(await selected(store, { state })).toBe('');
    },
  );
});
