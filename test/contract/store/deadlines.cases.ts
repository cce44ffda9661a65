import { insert, setAll } from '../../../src/storage/changes.js';
import type { Filter } from '../../../src/storage/filter.js';
import type { WritableStore } from '../../../src/storage/writable-store.js';
import { describeInFull } from '../../scope.js';
import { engines, type StoreUnderTest } from '../engines.js';
import { expectUnavailable, inRequest } from '../in-request.js';
import { ACCOUNT, anItem, type Item, ITEMS } from '../records.js';

const OTHER = 'c'.repeat(24);
const ROWS = 3_000;

describeInFull.each(engines)('a read that takes long on $name', ({ open }) => {
  let opened: StoreUnderTest;
  let store: WritableStore;
  beforeAll(async () => {
    opened = await open();
    ({ store } = opened);
    const name = 'text '.repeat(100);
    for (let rank = 0; rank < ROWS; rank += 1_000) {
      const items = Array.from({ length: 1_000 }, (_, index) => `${rank + index} ${name}`);
      await store.commit(items.map((each) => insert(ITEMS, anItem({ name: each, rank }))));
    }
    await store.commit([insert(ITEMS, anItem({ account: OTHER, code: 'code' }))]);
  });
  afterAll(() => opened.close());

  // Each text is searched for many others: a millisecond for each of the slow ones.
  const searches = (count: number): Filter<Item> => {
    const all = Array.from({ length: count }, (_, index) => ({
      name: { contains: `no ${index}` },
    }));
    return { or: all };
  };
  const quick: Filter<Item> = { account: OTHER };
  const medium: Filter<Item> = { account: ACCOUNT, ...searches(25) };
  const slow: Filter<Item> = { account: ACCOUNT, or: Array(100).fill(searches(40)) };

  it('ends at its deadline, and delays no read of others and no write meanwhile', async () => {
    let hasEnded = false;
    const scan = inRequest(2_000, () => store.count(ITEMS, slow)).finally(() => (hasEnded = true));
    const outcome = expectUnavailable([scan]);
    for (let time = 0; time < 5; time += 1) {
      expect(await store.find(ITEMS, { code: 'code' })).toMatchObject({ account: OTHER });
    }
    await store.commit([setAll(ITEMS, { code: 'code' }, { rank: 7 })]);
    expect(await store.count(ITEMS, { ...quick, rank: 7 })).toBe(1);
    expect(hasEnded).toBe(false);
    await outcome;
    const next = inRequest(4_000, () => store.count(ITEMS, { account: ACCOUNT }));
    expect(await next).toBe(ROWS);
  });

  it('takes turns with those of other accounts, and not with all of its own', async () => {
    const order: string[] = [];
    const own = ['1', '2', '3', '4', '5'];
    await inRequest(60_000, () =>
      Promise.all([
        ...own.map((name) => store.count(ITEMS, medium).then(() => order.push(name))),
        store.count(ITEMS, quick).then(() => order.push('of another account')),
      ]),
    );
    expect(order.indexOf('of another account')).toBeLessThan(2);
    expect(order.filter((name) => own.includes(name))).toEqual(own);
  });
});
