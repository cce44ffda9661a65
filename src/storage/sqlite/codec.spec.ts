import { anItem, type Item, ITEMS } from '../../../test/contract/records.js';
import { collection, integer, json, list, type Stored, text, time } from '../collection.js';
import { Codec } from './codec.js';

const at = new Date('2026-01-31T10:15:00.001Z');

describe('Codec', () => {
  const codec = new Codec(ITEMS);
  const columnOf = (row: unknown[], name: string) =>
    row[codec.columns.findIndex((column) => column.name === name)];

  it('stores times as milliseconds, lists and JSON as text, and nothing that is not declared', () => {
    const fields = { soldAt: at, labels: ['a', 'b'], details: { at, n: 1 }, undeclared: 'x' };
    const row = codec.encode(anItem({ ...fields, version: 7 }));
    expect(row).toHaveLength(codec.columns.length);
    expect(columnOf(row, 'soldAt')).toBe(at.getTime());
    expect(columnOf(row, 'labels')).toBe('["a","b"]');
    expect(columnOf(row, 'details')).toBe('{"at":{"$date":"2026-01-31T10:15:00.001Z"},"n":1}');
    expect(columnOf(row, 'version')).toBe(7);
  });

  it('reads what it has stored', () => {
    const details = { $date: 'text', list: [{ $date: at.toISOString() }, { $$date: null }, at] };
    const item = anItem({ details, note: null, soldAt: at, price: -1, version: 3 });
    const decoded = codec.decode(codec.encode(item));
    expect(decoded).toStrictEqual(item);
    expect(decoded.details).not.toBe(item.details);
  });

  it('gives each record its own values, and null where a later one has none', () => {
    const [first, second] = [anItem({ price: 1, soldAt: at }), anItem()];
    const decoded = codec.decode(codec.encode(first));
    expect(codec.decode(codec.encode(second))).toStrictEqual(second);
    expect(decoded).toStrictEqual(first);
  });

  it('reads JSON as version 0.5 has stored it', () => {
    const row = codec.encode(anItem());
    const details = codec.columns.findIndex(({ name }) => name === 'details');
    row[details] = '[{"kid":"a","retiredAt":{"$date":"2026-01-31T10:15:00.001Z"}}]';
    expect(codec.decode(row).details).toStrictEqual([{ kid: 'a', retiredAt: at }]);
  });

  it.each<[string, Partial<Item>]>([
    ['items.price', { price: undefined } as never],
    ['A member of stored JSON', { details: { a: [{ b: undefined }] } }],
  ])('rejects a record in which %s is undefined', (name, fields) => {
    expect(() => codec.encode(anItem(fields))).toThrow(`${name} is undefined`);
  });

  it('rejects a comparison with a field that is not declared', () => {
    expect(() => codec.encodeField('colour', 'red')).toThrow('items has no field colour');
  });

  it('has the stored form of what earlier records lack', () => {
    interface Grown extends Stored {
      readonly at: Date;
      readonly tags: readonly string[];
      readonly data: object;
      readonly count: number | null;
      readonly name: string;
    }
    const grown = collection<Grown>('grown', {
      fields: {
        _id: text(),
        at: time().since(at),
        tags: list<string>().since([]),
        data: json().since({ at }),
        count: integer().nullable(),
        name: text(),
      },
    });
    const initials = new Codec(grown).columns.map(({ name, initial }) => [name, initial]);
    expect(Object.fromEntries(initials)).toEqual({
      _id: undefined,
      at: at.getTime(),
      tags: '[]',
      data: '{"at":{"$date":"2026-01-31T10:15:00.001Z"}}',
      count: null,
      name: undefined,
      version: undefined,
    });
  });
});
