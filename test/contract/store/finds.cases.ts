import { isNativeError } from 'node:util/types';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { stores } from '../engines.js';
import { aLabel, anItem, aShelf, at, type Item, ITEMS, LABELS, SHELVES } from '../records.js';
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

  it('finds records of other collections', async () => {
    const { account } = await stored(SHELVES, aShelf({ label: 'top' }));
    expect(await store.find(SHELVES, { account, label: 'top' })).toMatchObject({ items: 0 });
    await stored(LABELS, aLabel('label'));
    expect(await store.find(LABELS, { _id: 'label' })).toMatchObject({ text: 'text of label' });
  });

  it('finds nothing where no record has the key', async () => {
    const { shelf, name } = await stored(ITEMS, anItem({ code: 'code', name: 'name' }));
    const none: Partial<Item>[] = [
      { _id: newObjectId() },
      ...['', 'Code', 'code ', 'cod', '%', '.*', 'code\u0301'].map((code) => ({ code })),
      { shelf: newObjectId(), name },
      { shelf, name: 'Name' },
    ];
    for (const key of none) expect([key, await store.find(ITEMS, key)]).toEqual([key, null]);
  });

  it('finds nothing by null, which belongs to any number of records', async () => {
    await stored(ITEMS, anItem({ serial: null }));
    const { account } = await stored(SHELVES, aShelf({ label: null }));
    expect(await store.find(ITEMS, { serial: null })).toBeNull();
    expect(await store.find(SHELVES, { account, label: null })).toBeNull();
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

  it.each<unknown>([
    { $ne: null },
    { $gt: '' },
    { not: null },
    { from: '' },
    ['code'],
    true,
    at(0),
  ])('takes an operator for no key: %j', async (operator) => {
    const { shelf, name } = await stored(ITEMS, anItem({ code: 'code', serial: 'serial' }));
    for (const key of [
      { _id: operator },
      { code: operator },
      { serial: operator },
      { shelf, name: operator },
      { shelf: operator, name },
    ] as Partial<Item>[]) {
      const found = await store.find(ITEMS, key).catch((error: Error) => error);
      expect(found === null || isNativeError(found)).toBe(true);
    }
    const label = { _id: operator } as { _id: string };
    await stored(LABELS, aLabel('label'));
    const found = await store.find(LABELS, label).catch((error: Error) => error);
    expect(found === null || isNativeError(found)).toBe(true);
  });
});
