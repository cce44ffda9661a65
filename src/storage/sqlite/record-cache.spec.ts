import { anItem, type Item, ITEMS } from '../../../test/contract/records.js';
import { Codec } from './codec.js';
import { RecordCache } from './record-cache.js';

const [CODE, PLACE, SERIAL] = ITEMS.unique as readonly (readonly string[])[];

describe('RecordCache', () => {
  const codec = new Codec(ITEMS);
  let cache: RecordCache<Item>;
  beforeEach(() => void (cache = new RecordCache<Item>(ITEMS.unique, 100_000)));

  const add = (fields: Partial<Item> = {}, to = cache) => {
    const item = anItem(fields);
    to.set(item, codec.encode(item));
    return item;
  };
  const find = ({ _id, code, shelf, name }: Item, by = cache) => [
    by.find(['_id'], { _id }),
    by.find(CODE!, { code }),
    by.find(PLACE!, { shelf, name }),
  ];

  it('finds a record by its id and by each of its unique values', () => {
    const item = add({ serial: 'serial' });
    expect(find(item)).toEqual([item, item, item]);
    expect(cache.find(SERIAL!, { serial: 'serial' })).toBe(item);
  });

  it('finds nothing by null, which is not unique', () => {
    add({ serial: null });
    expect(cache.find(SERIAL!, { serial: null })).toBeUndefined();
  });

  it('tells values of several fields apart', () => {
    const name = add({ name: 'a","b' });
    expect(cache.find(PLACE!, { name: 'a', shelf: name.shelf })).toBeUndefined();
  });

  it('forgets the unique values that a record has given up', () => {
    const item = add({ serial: 'first' });
    const next = add({ ...item, code: 'next', serial: 'second' });
    expect(find(item)).toEqual([next, undefined, next]);
    expect(cache.find(SERIAL!, { serial: 'first' })).toBeUndefined();
    const taking = add({ code: item.code });
    expect(find(item)).toEqual([next, taking, next]);
  });

  it('forgets a record that is deleted, under each of its keys', () => {
    const item = add();
    cache.delete(item._id);
    expect(find(item)).toEqual([undefined, undefined, undefined]);
  });

  it('keeps the records that were used last within its bytes', () => {
    const small = new RecordCache<Item>(ITEMS.unique, 10_000);
    const first = add({}, small);
    const second = add({}, small);
    const others = Array.from({ length: 20 }, () => {
      small.find(CODE!, { code: first.code });
      return add({ note: { text: 'x'.repeat(1_000) } }, small);
    });
    expect(find(first, small)).toEqual([first, first, first]);
    expect(find(second, small)).toEqual([undefined, undefined, undefined]);
    const kept = others.filter((item) => small.find(['_id'], { _id: item._id }));
    expect(kept.length).toBeGreaterThan(1);
    expect(kept.length).toBeLessThan(9);
  });

  it('does not keep a record that is larger than it', () => {
    const small = new RecordCache<Item>(ITEMS.unique, 5_000);
    const large = add({ note: { text: 'x'.repeat(5_000) } }, small);
    expect(find(large, small)).toEqual([undefined, undefined, undefined]);
  });
});
