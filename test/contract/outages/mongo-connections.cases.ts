import { setImmediate, setTimeout } from 'node:timers/promises';
import { increment, insert, touch } from '../../../src/storage/changes.js';
import { describeOnMongo } from '../../engines.js';
import { expectUnavailable } from '../expect-unavailable.js';
import { inRequest } from '../in-request.js';
import { ACCOUNT, anItem, aShelf, at, ITEMS, SHELVES } from '../records.js';
import { useOwnMongod } from '../use-own-mongod.js';

const OF_ACCOUNT = { account: ACCOUNT };

describeOnMongo('the connections to MongoDB', () => {
  /** Connections in use now, and when the driver first cleared its pool because the server seemed dead. */
  const used = new Set<unknown>();
  let usedWhenCleared: number | undefined;
  const { mongod, opened, store } = useOwnMongod();
  const shelf = aShelf();
  const item = anItem({ code: 'code' });
  beforeAll(async () => {
    server()
      .on('connectionCheckedOut', ({ connectionId }) => used.add(connectionId))
      .on('connectionCheckedIn', ({ connectionId }) => used.delete(connectionId))
      .on('connectionPoolCleared', () => (usedWhenCleared ??= used.size));
    await store.commit([insert(SHELVES, shelf), insert(ITEMS, item)]);
  });

  const server = () => opened.connection.getClient();
  const add = () =>
    store.commit([increment(SHELVES, shelf._id, { items: 1 }), insert(ITEMS, anItem())]);
  const find = () => store.find(ITEMS, { code: 'code' });
  const list = () =>
    store.list(ITEMS, OF_ACCOUNT, { by: 'createdAt', direction: 'desc' }, { limit: 5 });

  it('are released by 200 requests to a server that hangs, and can be used when it continues', async () => {
    const calls: (() => Promise<unknown>)[] = [
      ...[add, find, list],
      () => store.countBy(ITEMS, { shelf: shelf._id }, 'state'),
      () => store.commit([insert(ITEMS, anItem())]),
    ];
    mongod.process!.kill('SIGSTOP');
    try {
      await expectUnavailable(
        Array.from({ length: 200 }, (_, index) => inRequest(500, calls[index % calls.length]!)),
      );
      // Released by the deadline, not by the driver, which clears its pool seconds later.
      while (used.size > 0 && usedWhenCleared === undefined) await setTimeout(1);
      expect(usedWhenCleared ?? used.size).toBe(0);
    } finally {
      mongod.process!.kill('SIGCONT');
    }
    await expect(inRequest(60_000, find)).resolves.toMatchObject({ code: 'code' });
    await expect(inRequest(60_000, add)).resolves.toMatchObject({ ok: true });
  });

  it('are released by failed transactions, even while these cannot be ended on the server', async () => {
    const failing = ['insert', 'abortTransaction', 'killSessions'];
    await opened.whileInjecting({ failCommands: failing, closeConnection: true }, async () => {
      await expectUnavailable(Array.from({ length: 64 }, () => inRequest(500, add)));
      // A lost connection may end it, too.
      while (!(await inRequest(10_000, find).catch(() => null))) await setTimeout(10);
    });
    await expect(inRequest(60_000, add)).resolves.toMatchObject({ ok: true });
  });

  it('are available to license checks, however many other statements run and wait', async () => {
    const hang = { configureFailPoint: 'waitInFindBeforeMakingBatch' };
    await mongod.command({ ...hang, mode: 'alwaysOn', data: { nss: `${opened.name}.shelves` } });
    // Another client has locks for which commits wait.
    const locked = Array.from({ length: 10 }, () => aShelf({ items: 7 }));
    await store.commit(locked.map((one) => insert(SHELVES, one)));
    const session = server().startSession();
    session.startTransaction();
    const set = { $set: { weight: 1 } };
    await opened.collection('shelves').updateMany({ items: 7 }, set, { session });
    let responded = 0;
    const others = Array.from({ length: 200 }, async () => {
      await store.find(SHELVES, { account: ACCOUNT, label: 'label' });
      responded += 1;
    });
    for (const { _id } of locked) {
      const commit = store.commit([touch(SHELVES, _id), insert(ITEMS, anItem())]);
      others.push(commit.then(() => void (responded += 1)));
      // The commits of one tick would share a transaction.
      await setImmediate();
    }
    const check = async () => {
      const limit = { name: 'activation', requests: 5, seconds: 900 } as const;
      expect(await opened.rateLimits.hit(limit, '192.0.2.1', at(1))).toMatchObject({ hits: 1 });
      expect(await find()).toMatchObject({ code: 'code' });
      expect(await list()).not.toEqual([]);
      const changes = [touch(SHELVES, shelf._id), insert(ITEMS, anItem())];
      expect(await store.commit(changes)).toMatchObject({ ok: true });
    };
    await inRequest(60_000, check, { isLicenseCheck: true });
    await store.ping();
    expect(responded).toBe(0);
    await mongod.command({ ...hang, mode: 'off' });
    await session.endSession();
    await Promise.all(others);
  });
});
