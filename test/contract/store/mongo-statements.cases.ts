import type { mongo } from 'mongoose';
import {
  increment,
  insert,
  removeAll,
  replace,
  setAll,
  touch,
} from '../../../src/storage/changes.js';
import { describeOnMongo } from '../../engines.js';
import { inRequest } from '../in-request.js';
import { mongodb } from '../engines.js';
import type { MongoUnderTest } from '../mongo-under-test.js';
import { anItem, aShelf, type Item, ITEMS, SHELVES } from '../records.js';
import { useStore } from '../use-store.js';

describeOnMongo('the statements of the store on MongoDB', () => {
  const { opened, store } = useStore(mongodb);
  const commands: mongo.Document[] = [];
  beforeAll(() => {
    const client = (opened as MongoUnderTest).client;
    client.on('commandStarted', ({ commandName, command }) => {
      if (command[commandName] !== 'instances') commands.push(command);
    });
  });

  /** The names of the commands that the work sends. */
  const commandsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    commands.splice(0);
    await work();
    return commands.map((command) => Object.keys(command)[0]!);
  };
  const add = async (code: string): Promise<Item> => {
    await store.commit([insert(ITEMS, anItem({ code }))]);
    return (await store.find(ITEMS, { code }))!;
  };

  it('are one plus the commit for a commit with one change', async () => {
    const item = await add('one');
    const change = () => store.commit([replace(ITEMS, item, { ...item, rank: 2 })]);
    expect(await commandsOf(change)).toEqual(['update', 'commitTransaction']);
  });

  it('also end on the server at the deadline of their request', async () => {
    const item = await add('timed');
    const filter = { account: item.account };
    const changes = [
      insert(ITEMS, anItem()),
      replace(ITEMS, item, { ...item, rank: 2 }),
      setAll(SHELVES, filter, { weight: 9 }),
      removeAll(SHELVES, { ...filter, label: 'a' }),
    ];
    const work = async () => {
      await store.find(ITEMS, { code: 'timed' });
      await store.list(ITEMS, filter, { by: 'rank', direction: 'asc' }, { limit: 1 });
      await store.count(ITEMS, filter);
      await store.countBy(ITEMS, filter, 'state');
      await store.newestOf(ITEMS, filter, 'shelf', [item.shelf], 1);
      return store.commit(changes);
    };
    await commandsOf(() => inRequest(60_000, work));
    const times = commands.map(({ maxTimeMS }) => maxTimeMS as number);
    expect(times.length).toBeGreaterThan(10);
    expect(times.filter((time) => !(time > 40_000 && time <= 60_000))).toStrictEqual([]);
  });

  it('share few transactions for many concurrent commits', async () => {
    const shelf = aShelf();
    await store.commit([insert(SHELVES, shelf)]);
    const names = await commandsOf(() =>
      Promise.all(
        Array.from({ length: 320 }, (_, index) =>
          store.commit([
            index % 2 ? touch(SHELVES, shelf._id) : increment(SHELVES, shelf._id, { items: 1 }),
            insert(ITEMS, anItem({ shelf: shelf._id })),
          ]),
        ),
      ),
    );
    expect(names.filter((name) => name === 'commitTransaction').length).toBeLessThan(16);
    expect(await store.count(ITEMS, { shelf: shelf._id })).toBe(320);
  });

  describe('that find records by a key', () => {
    it('are shared by all keys of a tick, and each caller gets its own record or none', async () => {
      const items = await Promise.all(['a', 'b', 'c'].map(add));
      const codes = ['b', 'none', 'a', 'b', 'c'];
      let found: unknown[] = [];
      const names = await commandsOf(async () => {
        found = await Promise.all(codes.map((code) => store.find(ITEMS, { code })));
      });
      expect(names).toEqual(['find']);
      expect(found).toStrictEqual(
        codes.map((code) => items.find((item) => item.code === code) ?? null),
      );
    });

    it('end at the latest deadline of their callers', async () => {
      const item = await add('with a deadline');
      const find = () => store.find(ITEMS, { code: item.code });
      const [, inTime] = await Promise.allSettled([inRequest(0, find), inRequest(60_000, find)]);
      expect(inTime).toMatchObject({ value: item });
    });

    it('never start before the request that receives their result', async () => {
      const item = await add('changing');
      commands.splice(0);
      const early = store.find(ITEMS, { code: 'changing' });
      // Its statement has been sent when the change starts.
      while (commands.length === 0) await new Promise(setImmediate);
      await store.commit([replace(ITEMS, item, { ...item, rank: 9 })]);
      expect(await store.find(ITEMS, { code: 'changing' })).toMatchObject({ rank: 9 });
      await early;
    });
  });
});
