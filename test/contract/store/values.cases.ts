import { replace, setAll } from '../../../src/storage/changes.js';
import { stores } from '../engines.js';
import { aLabel, anItem, at, type Item, ITEMS, LABELS } from '../records.js';
import { useStored } from '../use-stored.js';

const TEXTS = {
  empty: '',
  spaces: ' \t\n a  ',
  quotes: `'"\`\\ '; DROP TABLE items; --`,
  operators: '$ne {"$ne":null} $where .',
  wildcards: '% _ * ? [a-z] ^.*$',
  'numbers and words': '0012 1e3 null true NaN',
  Unicode: 'Straße İ ﷽ 你好 👩‍👩‍👧 \u202e\ufeff',
  'characters that look the same': 'e\u0301 \u00e9',
  'the last characters': '\ud7ff\ue000\uffff\u{10ffff}',
  long: 'long'.repeat(50_000),
};

describe.each(stores)('a value on $name', (engine) => {
  const { store, stored, found } = useStored(engine);

  /** Stores a record with these fields as a new one, as another state, and among others. */
  const expectStored = async (fields: Partial<Item>) => {
    const inserted = await stored(ITEMS, anItem(fields));
    expect(inserted).toStrictEqual({ ...inserted, ...fields });
    const before = await stored(ITEMS, anItem({ shelf: 'c'.repeat(24) }));
    await store.commit([replace(ITEMS, before, { ...before, ...fields })]);
    expect(await found(ITEMS, before)).toMatchObject(fields);
    const other = await stored(ITEMS, anItem({ shelf: 'd'.repeat(24) }));
    await store.commit([setAll(ITEMS, { _id: other._id }, fields)]);
    const set = await found(ITEMS, other);
    expect(set).toStrictEqual({ ...other, ...fields, version: set.version });
    const [listed] = await store.list(ITEMS, {}, { by: '_id', direction: 'asc' }, { limit: 1 });
    expect(listed).toStrictEqual(inserted);
  };

  it.each(Object.entries(TEXTS))('is a text with every character: %s', async (_name, value) => {
    await expectStored({ name: value, state: value, labels: [value, value], details: { value } });
    expect(await stored(LABELS, aLabel(value))).toMatchObject({ text: `text of ${value}` });
    expect(await store.find(LABELS, { _id: `${value}x` })).toBeNull();
  });

  it.each([0, -1, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER])('is an integer: %d', (value) =>
    expectStored({ rank: value, price: value, sizes: [value, 1.5], details: { value } }),
  );

  it.each([
    '2026-01-31T10:15:00.001Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ])('is a time with milliseconds: %s', (time) => {
    const value = new Date(time);
    return expectStored({ soldAt: value, createdAt: value, details: { value } });
  });

  it.each<[string, Partial<Item>]>([
    ['null', { serial: null, price: null, replaces: null, note: null, soldAt: null }],
    ['an id', { replaces: '0'.repeat(24), account: 'f'.repeat(24) }],
    ['a list', { labels: ['b', 'a', 'b', ''], sizes: [3, -1, 2.5, 2 ** 40] }],
  ])('is %s', (_kind, fields) => expectStored(fields));

  it.each<[string, object]>([
    ['empty', {}],
    ['a list', [1, 'a', null, [], {}]],
    ['nested', { a: [{ b: { c: [[null, true, false, 0, -0.5, '']] } }] }],
    ['with times', { at: at(1), list: [at(2), { at: at(-(10 ** 8)) }], text: at(1).toISOString() }],
    ['with names of operators', { $ne: null, 'a.b': 1, $date: at(1).toISOString(), '': { $: 0 } }],
    ['like a time of other formats', { $date: 0, list: [{ $date: 1, $time: 2 }, ['$date', 0]] }],
    ['like an id', { id: 'a'.repeat(24), $oid: 'a'.repeat(24), _id: 1 }],
  ])('is data of any form: %s', (_form, value) => expectStored({ details: value, note: value }));

  it('is the same for each reader, though the caller changes its own, and of a declared field', async () => {
    const item = anItem({ details: { list: [1] }, soldAt: at(1) });
    const more = { ...item, undeclared: 'x' };
    expect(await stored(ITEMS, more)).not.toHaveProperty('undeclared');
    (item.details as { list: number[] }).list.push(2);
    item.soldAt!.setTime(0);
    expect(await found(ITEMS, item)).toMatchObject({ details: { list: [1] }, soldAt: at(1) });
  });
});
