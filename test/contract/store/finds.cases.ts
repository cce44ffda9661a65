import { isNativeError } from 'node:util/types';
import { replace } from '../../../src/storage/changes.js';
import { stores } from '../engines.js';
import { anItem, at, type Item, ITEMS } from '../records.js';
import { useStored } from '../use-stored.js';

describe.each(stores)('a find by key on $name', (engine) => {
  const { store, stored } = useStored(engine);

  it.each<[string, (item: Item) => Partial<Item>]>([
    ['the id', ({ _id }) => ({ _id })],
    ['a unique value', ({ code }) => ({ code })],
    ['a unique value of a field that may be null', ({ serial }) => ({ serial })],
    ['a unique set of values', ({ shelf, name }) => ({ shelf, name })],
    ['a unique set of values in another order', ({ shelf, name }) => ({ name, shelf })],
  ])('finds the record by %s', async (_key, keyOf) => {
    const item = await stored(ITEMS, anItem({ serial: 'serial' }));
    await stored(ITEMS, anItem({ serial: 'another' }));
    // As often as a reader may: the record may be kept in memory.
    const times = [1, 2].map(() => keyOf(item));
    for (const key of times) expect(await store.find(ITEMS, key)).toStrictEqual(item);
  });

  it('finds no record by a unique value that it no longer has', async () => {
    const item = await stored(ITEMS, anItem({ serial: 'former' }));
    expect(await store.find(ITEMS, { serial: 'former' })).toStrictEqual(item);
    await store.commit([replace(ITEMS, item, { ...item, serial: 'present' })]);
    expect(await store.find(ITEMS, { serial: 'former' })).toBeNull();
    expect(await store.find(ITEMS, { serial: 'present' })).toMatchObject({ _id: item._id });
  });

  it('finds no record by null', async () => {
    const { shelf, name } = await stored(ITEMS, anItem({ serial: null }));
    expect(await store.find(ITEMS, { shelf, name })).not.toBeNull();
    expect(await store.find(ITEMS, { serial: null })).toBeNull();
  });

  it('finds what many callers look up at the same time, each its own', async () => {
    const items = await Promise.all(Array.from({ length: 20 }, () => stored(ITEMS, anItem())));
    const found = await Promise.all(
      items.flatMap(({ _id, code }) => [
        store.find(ITEMS, { _id }),
        store.find(ITEMS, { code }),
        store.find(ITEMS, { code: `no ${code}` }),
      ]),
    );
    expect(found).toStrictEqual(items.flatMap((item) => [item, item, null]));
  });

  it.each<unknown>([{ $ne: null }, { not: null }, { from: '' }, ['code'], true, at(0)])(
    'takes an operator for no key: %j',
    async (operator) => {
      const { shelf, name } = await stored(ITEMS, anItem({ code: 'code', serial: 'serial' }));
      const keys = [
        ...[{ _id: operator }, { code: operator }, { serial: operator }],
        ...[
          { shelf, name: operator },
          { shelf: operator, name },
        ],
      ] as Partial<Item>[];
      for (const key of keys) {
        const found = await store.find(ITEMS, key).catch((error: Error) => error);
        expect(found === null || isNativeError(found)).toBe(true);
      }
    },
  );
});
