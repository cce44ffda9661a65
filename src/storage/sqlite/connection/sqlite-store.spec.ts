import { anItem, type Item, ITEMS } from '../../../../test/contract/records.js';
import { useFolder } from '../../../../test/use-folder.js';
import { increment, insert, replace } from '../../changes.js';
import { Codec } from '../codec.js';
import { RecordCache } from '../record-cache.js';
import { SqliteStore } from './sqlite-store.js';

describe('SqliteStore keeps a record of a cached collection in memory', () => {
  const folder = useFolder();
  let store: SqliteStore;

  beforeEach(() => void (store = SqliteStore.open(folder(), [ITEMS])));
  afterEach(() => store.close());

  const stored = async () => {
    const item = anItem();
    await store.commit([insert(ITEMS, item)]);
    return (await store.find(ITEMS, { _id: item._id }))!;
  };
  /** Changes a record behind the back of the store, which shows whether it reads it. */
  const tamper = () => store.database.exec("UPDATE items SET state = 'tampered'");

  it('as it was read by any key, replaced and incremented', async () => {
    const item = await stored();
    expect(await store.find(ITEMS, { code: item.code })).toBe(item);
    expect(await store.find(ITEMS, { name: item.name, shelf: item.shelf })).toBe(item);
    await store.commit([replace(ITEMS, item, { ...item, code: 'next' })]);
    await store.commit([increment(ITEMS, item._id, { rank: 4 })]);
    tamper();
    const found = await store.find(ITEMS, { code: 'next' });
    expect(found).toMatchObject({ code: 'next', rank: 5, state: 'new' });
  });

  it('unless another process may change it', async () => {
    const tool = SqliteStore.open(folder(), [ITEMS], 'tool');
    const item = await stored();
    await tool.find(ITEMS, { code: item.code });
    tamper();
    expect(await tool.find(ITEMS, { code: item.code })).toMatchObject({ state: 'tampered' });
    await tool.close();
  });

  it('as long as it fits into the bytes of the cache, those that were used last', () => {
    const codec = new Codec(ITEMS);
    const cache = new RecordCache(ITEMS.unique, 10_000);
    const add = (length: number) => {
      const item = anItem({ note: { text: 'x'.repeat(length) } });
      cache.set(item, codec.encode(item));
      return item;
    };
    const isKept = ({ _id }: Item) => cache.find(['_id'], { _id }) !== undefined;
    const [first, second] = [add(0), add(0)];
    const others = Array.from({ length: 20 }, () => isKept(first) && add(1_000));
    expect([isKept(first), isKept(second)]).toEqual([true, false]);
    const kept = others.filter((item) => item && isKept(item)).length;
    expect(kept).toBeGreaterThan(1);
    expect(kept).toBeLessThan(9);
    expect(isKept(add(10_000))).toBe(false);
  });
});
