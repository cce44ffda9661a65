import { isNativeError } from 'node:util/types';
import {
  type Change,
  increment,
  insert,
  remove,
  removeAll,
  replace,
  setAll,
} from '../../../src/storage/changes.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import type { Filter } from '../../../src/storage/filter.js';
import { engines, stores } from '../engines.js';
import { expectUnavailable, inRequest } from '../in-request.js';
import {
  ACCOUNT,
  aLabel,
  anItem,
  aShelf,
  at,
  type Item,
  ITEMS,
  LABELS,
  type Shelf,
  SHELVES,
} from '../records.js';
import { useStore } from '../use-store.js';

const OTHER = 'c'.repeat(24);
const unset = <R>(name: keyof R) => ({ [name]: undefined }) as Partial<R>;

// Conditions and atomicity are compared with the model: see races.spec.ts.
describe.each(stores)('a commit on $name', (engine) => {
  const { store, stored, found } = useStore(engine);

  const codes = async () => {
    const order = { by: '_id', direction: 'asc' } as const;
    const items = await store.list(ITEMS, {}, order, { limit: 100 });
    return items.map(({ code }) => code).toSorted();
  };

  it('applies changes in the order of their kinds, whatever their order in the list', async () => {
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

  it('applies changes of one kind in list order', async () => {
    const one = await stored(ITEMS, anItem({ code: 'one' }));
    const other = await stored(ITEMS, anItem({ code: 'other' }));
    const giving = replace(ITEMS, one, { ...one, code: 'next' });
    const taking = replace(ITEMS, other, { ...other, code: 'one' });
    expect(await store.commit([taking, giving])).toStrictEqual({ ok: false, failed: taking });
    expect(await store.commit([giving, taking])).toMatchObject({ ok: true });
    expect(await codes()).toEqual(['next', 'one']);
  });

  it('removes and sets at most a limit of selected records, so that steps finish', async () => {
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

  it('stores only declared fields, unaffected by later changes of the caller', async () => {
    const item = anItem({ details: { list: [1] }, soldAt: at(1) });
    const more = { ...item, undeclared: 'x' };
    expect(await stored(ITEMS, more)).not.toHaveProperty('undeclared');
    (item.details as { list: number[] }).list.push(2);
    item.soldAt!.setTime(0);
    expect(await found(ITEMS, item)).toMatchObject({ details: { list: [1] }, soldAt: at(1) });
  });

  it('is rejected after the deadline of its request, like each read, and changes nothing', async () => {
    const order = { by: 'rank', direction: 'asc' } as const;
    const filter = { account: ACCOUNT };
    await inRequest(-1, () =>
      expectUnavailable([
        store.list(ITEMS, filter, order, { limit: 1 }),
        store.count(ITEMS, filter),
        store.countBy(ITEMS, filter, 'state'),
        store.newestOf(ITEMS, filter, 'shelf', [OTHER], 1),
        store.commit([insert(LABELS, aLabel('one'))]),
        store.commit([insert(LABELS, aLabel('two')), insert(LABELS, aLabel('three'))]),
      ]),
    );
    expect(await store.count(LABELS, {})).toBe(0);
  });
});

describe.each(engines)('the reads of an account on $name', (engine) => {
  const { store } = useStore(engine);

  it('wait for each other, but never delay another account', async () => {
    const ended: string[] = [];
    const read = async (name: string, account = ACCOUNT) => {
      await store.count(ITEMS, { account });
      ended.push(name);
    };
    // Enough that even on a busy machine the other worker has run long before the last one.
    const own = Array.from({ length: 400 }, (_, index) => `${index}`);
    const all = () => Promise.all([...own.map((name) => read(name)), read('other', OTHER)]);
    // The first ones start SQLite's workers.
    await inRequest(60_000, all);
    ended.splice(0);
    await inRequest(60_000, all);
    expect(ended.indexOf('other')).toBeLessThan(own.length / 2);
    expect(ended.filter((name) => name !== 'other')).toEqual(own);
  });
});

describe.each(engines)("a caller's bug on $name", (engine) => {
  const { store, stored, found } = useStore(engine);
  let item: Item;
  let shelf: Shelf;
  beforeEach(async () => {
    item = await stored(ITEMS, anItem());
    shelf = await stored(SHELVES, aShelf());
  });

  const isBug = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => 'done',
      (thrown: unknown) => thrown,
    );
    expect(isNativeError(error)).toBe(true);
    expect(error).not.toBeInstanceOf(DomainError);
  };

  it.each<[string, () => Change]>([
    ['a record without a value', () => insert(ITEMS, anItem(unset<Item>('name')))],
    ['null in a field that has none', () => insert(ITEMS, anItem({ name: null as never }))],
    ['data with no value', () => insert(ITEMS, anItem({ details: { a: undefined } }))],
    ['the next state without a value', () => replace(ITEMS, item, { ...item, ...unset('name') })],
    ['a field set to no value', () => setAll(ITEMS, { _id: item._id }, unset('state'))],
    ['a filter with an operator', () => removeAll(ITEMS, { account: { $ne: null } as never })],
    ['a filter that no index serves', () => removeAll(ITEMS, { state: 'new' })],
    ['a filter by no field', () => setAll(ITEMS, { $where: 'true' } as never, { rank: 2 })],
    [
      'a condition with an operator',
      () => increment(SHELVES, shelf._id, {}, { where: { account: { $ne: null } as never } }),
    ],
  ])('fails only its own commit: %s', async (_bug, change) => {
    const commit = (...changes: Change[]) => store.commit(changes);
    const all = [
      commit(insert(LABELS, aLabel('before'))),
      commit(increment(SHELVES, shelf._id, { items: 1 })),
      commit(increment(SHELVES, shelf._id, { items: 1 })),
      commit(insert(LABELS, aLabel('after'))),
    ];
    await isBug(commit(insert(LABELS, aLabel('with it')), change()));
    expect(await Promise.all(all)).toEqual(Array(4).fill({ ok: true, affected: 0 }));
    await isBug(commit(change()));
    expect(await store.find(LABELS, { _id: 'with it' })).toBeNull();
    expect(await store.count(LABELS, {})).toBe(2);
    expect(await store.count(ITEMS, {})).toBe(1);
    expect(await found(ITEMS, item)).toStrictEqual(item);
    expect(await found(SHELVES, shelf)).toMatchObject({ items: 2 });
  });

  it.each<[string, Partial<Item>]>([
    ['no field', {}],
    ['a field that is not unique', { state: 'new' }],
    ['a part of a unique set', { shelf: OTHER }],
    ['no value', unset('code')],
    ['an id and more', { _id: OTHER, code: 'code' }],
  ])('fails a find by %s', (_key, key) => isBug(store.find(ITEMS, key)));

  it.each<unknown>([{ $ne: null }, { not: null }, { from: '' }, ['code'], true, at(0)])(
    'finds no record by an operator instead of a key: %j',
    async (operator) => {
      const { shelf, name } = await stored(ITEMS, anItem({ code: 'code', serial: 'serial' }));
      const keys = [
        { _id: operator },
        { code: operator },
        { serial: operator },
        { shelf, name: operator },
        { shelf: operator, name },
      ] as Partial<Item>[];
      for (const key of keys) {
        const found = await store.find(ITEMS, key).catch((error: Error) => error);
        expect(found === null || isNativeError(found)).toBe(true);
      }
    },
  );

  it.each<[string, RegExp, object]>([
    ['an operator', /compared/, { account: ACCOUNT, or: [{ rank: { $ne: null } }] }],
    ['no value', /compared/, { account: ACCOUNT, rank: undefined }],
    ['fields that no index serves', /^No index of items serves /, { rank: 1 }],
  ])('fails each read by %s', async (_what, message, fields) => {
    const filter = fields as Filter<Item>;
    for (const read of [
      () => store.list(ITEMS, filter, { by: 'createdAt', direction: 'asc' }, { limit: 1 }),
      () => store.count(ITEMS, filter),
      () => store.countBy(ITEMS, filter, 'state'),
      () => store.newestOf(ITEMS, filter, 'state', ['new'], 1),
    ]) {
      await expect(read()).rejects.toThrow(message);
    }
  });
});
