import { setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { increment, insert, replace, setAll } from '../../../src/storage/changes.js';
import type { Store } from '../../../src/storage/store.js';
import { describeOnMongo } from '../../engines.js';
import { expectUnavailable } from '../expect-unavailable.js';
import { inRequest } from '../in-request.js';
import { MongoUnderTest } from '../mongo-under-test.js';
import { ACCOUNT, anItem, aShelf, ITEMS, type Shelf, SHELVES } from '../records.js';
import { useOwnMongod } from '../use-own-mongod.js';

describeOnMongo('the deadline of a request on MongoDB', () => {
  const { mongod, opened, store } = useOwnMongod();
  let shelf: Shelf;
  beforeEach(async () => {
    const { _id } = aShelf();
    await store.commit([insert(SHELVES, aShelf({ _id }))]);
    shelf = (await store.find(SHELVES, { _id }))!;
  });

  const server = () => opened.connection.getClient();
  const find = () => store.find(SHELVES, { _id: shelf._id });
  const add = (to: Store = store, { _id } = shelf) =>
    to.commit([increment(SHELVES, _id, { items: 1 }), insert(ITEMS, anItem({ shelf: _id }))]);

  it('bounds all of its statements together, though each of them is quick enough', async () => {
    const slow = { failCommands: ['find', 'update', 'insert', 'delete', 'findAndModify'] };
    await opened.whileInjecting({ ...slow, blockConnection: true, blockTimeMS: 800 }, async () => {
      const one = inRequest(1_500, async () => {
        await find();
        return store.commit([insert(ITEMS, anItem())]);
      });
      await expectUnavailable([one, inRequest(1_500, () => add())]);
    });
    expect(await find()).toMatchObject({ items: 0 });
    expect(await store.count(ITEMS, {})).toBe(0);
  });

  it('ends the statements that still run on the server', async () => {
    // Every write waits until the server is unlocked, and would then be done.
    await mongod.command({ fsync: 1, lock: true });
    try {
      const writes: (() => Promise<unknown>)[] = [
        () => store.commit([insert(ITEMS, anItem())]),
        () => store.commit([replace(SHELVES, shelf, { ...shelf, items: 9 })]),
        () => store.commit([setAll(SHELVES, { account: ACCOUNT }, { weight: 9 })]),
        () => add(),
      ];
      await expectUnavailable(writes.map((write) => inRequest(1_000, write)));
      // The transactions are aborted a moment later.
      while ((await runningCommands()).length > 0) await setTimeout(10);
    } finally {
      await mongod.command({ fsyncUnlock: 1 });
    }
    expect(await find()).toStrictEqual(shelf);
    expect(await store.count(ITEMS, {})).toBe(0);
  });

  const runningCommands = async () => {
    const operations = await server()
      .db('admin')
      .aggregate<{ ns: string; active: boolean }>([{ $currentOp: {} }], {
        readConcern: { level: 'local' },
      })
      .toArray();
    const isOfStore = (ns = '') => ns.startsWith('contract-') && !ns.endsWith('.instances');
    return operations.filter(({ ns, active }) => active && isOfStore(ns));
  };

  it('has left no lock of a transaction that begins after it', async () => {
    const other = await opened.join();
    const responds = (of: Store) =>
      inRequest(800, () => of.ping()).then(
        () => true,
        () => false,
      );
    const shelves = Array.from({ length: 60 }, () => aShelf());
    // One after the other, so on few connections: the commits below need more than these.
    for (const one of shelves) await store.commit([insert(SHELVES, one)]);
    mongod.process!.kill('SIGSTOP');
    try {
      await expectUnavailable(shelves.map((one) => inRequest(500, () => add(store, one))));
      // The driver stops aborting them after 5 s: 3 s to find the server dead, 2 s to look for another.
      const end = performance.now() + 6_000;
      while (performance.now() < end) expect(await responds(store)).toBe(false);
    } finally {
      mongod.process!.kill('SIGCONT');
    }
    while (!(await responds(other.store))) await setTimeout(10);
    // By another instance: the first one would end a transaction by using its session again.
    await Promise.all(shelves.map((one) => inRequest(10_000, () => add(other.store, one))));
    await other.leave();
    for (const { _id } of shelves) {
      const { items } = (await store.find(SHELVES, { _id }))!;
      expect(await store.count(ITEMS, { shelf: _id })).toBe(items);
    }
  });

  it('lets no commit begin after it', async () => {
    let commits = 0;
    const note = ({ commandName }: mongo.CommandStartedEvent) => {
      if (commandName === 'commitTransaction') commits += 1;
    };
    server().on('commandStarted', note);
    // The outcome stays unknown, so the commit is sent again and again.
    const unknown = { writeConcernError: { code: 64, errmsg: 'waiting was interrupted' } };
    await opened.whileInjecting({ failCommands: ['commitTransaction'], ...unknown }, async () => {
      await expectUnavailable([inRequest(1_000, () => add())]);
      const atDeadline = commits;
      expect(atDeadline).toBeGreaterThan(1);
      for (let time = 0; time < 20; time += 1) await store.ping();
      // The driver itself may repeat the one under way.
      expect(commits).toBeLessThanOrEqual(atDeadline + 1);
    });
    server().off('commandStarted', note);
  });

  it('ends a transaction on the server though the driver fails to abort it', async () => {
    const uri = new URL(opened.uri);
    // Failures are injected into the commands of one client name alone.
    uri.searchParams.set('appName', 'other');
    const other = await MongoUnderTest.connect(uri);
    // These commands never reach the server, so it does not end the transaction by itself.
    const failure = { failCommands: ['insert', 'abortTransaction'], closeConnection: true };
    await opened.whileInjecting(failure, async () => {
      await expectUnavailable([inRequest(1_000, () => add())]);
      // The server itself would end it after a minute.
      await expect(inRequest(30_000, () => add(other.store))).resolves.toMatchObject({ ok: true });
    });
    await other.leave();
  });
});
