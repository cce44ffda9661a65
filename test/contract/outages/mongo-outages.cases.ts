import { setImmediate, setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { increment, insert, touch } from '../../../src/storage/changes.js';
import type { WritableStore } from '../../../src/storage/writable-store.js';
import { type Member, ReplicaSet } from '../../mongod/replica-set.js';
import { MongoUnderTest } from '../mongo-under-test.js';
import { empty } from '../use-store.js';
import { describeOnMongo } from '../../engines.js';
import { ACCOUNT, anItem, aShelf, ITEMS, type Shelf, SHELVES } from '../records.js';
import { expectUnavailable, inRequest } from '../in-request.js';

describeOnMongo('the store on a MongoDB that stops, hangs or fails', () => {
  let replicaSet: ReplicaSet;
  let mongod: Member;
  let opened: MongoUnderTest;
  let store: WritableStore;
  let shelf: Shelf;
  beforeAll(async () => {
    replicaSet = await ReplicaSet.start();
    mongod = replicaSet.members[0]!;
    opened = await MongoUnderTest.open(undefined, replicaSet.uri());
    ({ store } = opened);
  });
  beforeEach(async () => {
    await empty(store);
    const { _id } = aShelf();
    await store.commit([insert(SHELVES, aShelf({ _id }))]);
    shelf = (await store.find(SHELVES, { _id }))!;
  });
  afterAll(async () => {
    await opened?.leave();
    await replicaSet?.remove();
  });

  const server = () => opened.client;
  const find = () => store.find(SHELVES, { _id: shelf._id });
  const add = (to: WritableStore = store, { _id } = shelf) =>
    to.commit([increment(SHELVES, _id, { items: 1 }), insert(ITEMS, anItem({ shelf: _id }))]);

  /** While this is off, a write is on the primary, but neither acknowledged nor visible to other reads. */
  const turnSnapshots = (state: 'on' | 'off') =>
    mongod.command({
      configureFailPoint: 'disableSnapshotting',
      mode: state === 'off' ? 'alwaysOn' : 'off',
    });

  it('finds a write not yet on a majority after its own commit failed because of it', async () => {
    const [other, code] = [await opened.join(), 'code'];
    const isOnPrimary = async () =>
      opened.collection('items').findOne({ code }, { readConcern: { level: 'local' } });
    await turnSnapshots('off');
    try {
      const first = store.commit([insert(ITEMS, anItem({ code }))]);
      while (!(await isOnPrimary())) await setTimeout(1);
      const found = other.store
        .commit([insert(ITEMS, anItem({ code }))])
        .then(async ({ ok }) => !ok && (await other.store.find(ITEMS, { code })));
      // By now, the second one has long reached the record.
      for (let time = 0; time < 20; time += 1) await isOnPrimary();
      expect(await opened.collection('items').findOne({ code })).toBeNull();
      await turnSnapshots('on');
      expect(await found).toMatchObject({ code });
      expect(await first).toMatchObject({ ok: true });
    } finally {
      await turnSnapshots('on');
      await other.leave();
    }
  });

  describe('its connections', () => {
    /** Connections in use now, and when the driver first cleared its pool because the server seemed down. */
    const used = new Set<unknown>();
    let usedWhenCleared: number | undefined;
    beforeAll(() => {
      server()
        .on('connectionCheckedOut', ({ connectionId }) => used.add(connectionId))
        .on('connectionCheckedIn', ({ connectionId }) => used.delete(connectionId))
        .on('connectionPoolCleared', () => (usedWhenCleared ??= used.size));
    });
    beforeEach(() => store.commit([insert(ITEMS, anItem({ code: 'code' }))]));

    const findItem = () => store.find(ITEMS, { code: 'code' });
    const list = () =>
      store.list(ITEMS, { account: ACCOUNT }, { by: 'createdAt', direction: 'desc' }, { limit: 5 });

    it('are freed by 200 requests to a server that hangs, and work again when it recovers', async () => {
      const calls: (() => Promise<unknown>)[] = [
        ...[() => add(), findItem, list],
        () => store.countBy(ITEMS, { shelf: shelf._id }, 'state'),
        () => store.commit([insert(ITEMS, anItem())]),
      ];
      await mongod.hang();
      try {
        await expectUnavailable(
          Array.from({ length: 200 }, (_, index) => inRequest(500, calls[index % calls.length]!)),
        );
        // Released by the deadline, not by the driver, which clears its pool seconds later.
        while (used.size > 0 && usedWhenCleared === undefined) await setTimeout(1);
        // The session lease is renewed in the background, with a longer timeout.
        expect(usedWhenCleared ?? used.size).toBeLessThanOrEqual(1);
      } finally {
        mongod.resume();
      }
      await expect(inRequest(60_000, findItem)).resolves.toMatchObject({ code: 'code' });
      await expect(inRequest(60_000, () => add())).resolves.toMatchObject({ ok: true });
    });

    it('are available to license checks, however many other statements are running and waiting', async () => {
      const hang = { configureFailPoint: 'waitInFindBeforeMakingBatch' };
      await mongod.command({ ...hang, mode: 'alwaysOn', data: { nss: `${opened.name}.shelves` } });
      // Another client holds locks that commits wait for.
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
        // Commits of the same tick would share a transaction.
        await setImmediate();
      }
      const check = async () => {
        const limit = { name: 'activation', requests: 5, seconds: 900 } as const;
        expect(await opened.rateLimits.hit(limit, '192.0.2.1')).toMatchObject({ hits: 1 });
        expect(await findItem()).toMatchObject({ code: 'code' });
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

  it('ends a request at its deadline, even if each of its statements is fast enough', async () => {
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

  it('leaves no locks of a transaction that starts after a deadline', async () => {
    const other = await opened.join();
    const responds = (of: WritableStore) =>
      inRequest(800, () => of.ping()).then(
        () => true,
        () => false,
      );
    await mongod.hang();
    try {
      await expectUnavailable([inRequest(500, () => add())]);
      // The driver stops aborting them after 5 s: 3 s to consider the server down, 2 s to look for another.
      const end = performance.now() + 6_000;
      while (performance.now() < end) expect(await responds(store)).toBe(false);
    } finally {
      mongod.resume();
    }
    while (!(await responds(other.store))) await setTimeout(10);
    // From another instance: the first would end a transaction by reusing its session.
    await inRequest(10_000, () => add(other.store));
    await other.leave();
    expect(await store.count(ITEMS, { shelf: shelf._id })).toBe((await find())!.items);
  });

  it('starts no commit after the deadline of its request', async () => {
    let commits = 0;
    const note = ({ commandName }: mongo.CommandStartedEvent) => {
      if (commandName === 'commitTransaction') commits += 1;
    };
    server().on('commandStarted', note);
    // The outcome stays unknown, so the commit is retried again and again.
    const unknown = { writeConcernError: { code: 64, errmsg: 'waiting was interrupted' } };
    await opened.whileInjecting({ failCommands: ['commitTransaction'], ...unknown }, async () => {
      await expectUnavailable([inRequest(1_000, () => add())]);
      const atDeadline = commits;
      expect(atDeadline).toBeGreaterThan(1);
      for (let time = 0; time < 20; time += 1) await store.ping();
      // The driver itself may retry the current one.
      expect(commits).toBeLessThanOrEqual(atDeadline + 1);
    });
    server().off('commandStarted', note);
  });

  it('ends a transaction on the server at its deadline, even if the driver fails to abort it', async () => {
    const uri = new URL(opened.uri);
    // Failures are injected only into the commands of one client name.
    uri.searchParams.set('appName', 'other');
    const other = await MongoUnderTest.connect(uri);
    // These commands never reach the server, so it does not end the transaction because of them.
    const failure = { failCommands: ['insert', 'abortTransaction'], closeConnection: true };
    await opened.whileInjecting(failure, async () => {
      await expectUnavailable([inRequest(1_000, () => add())]);
      // The server itself would end it after a minute.
      await expect(inRequest(30_000, () => add(other.store))).resolves.toMatchObject({ ok: true });
    });
    await expect(inRequest(60_000, () => add())).resolves.toMatchObject({ ok: true });
    await other.leave();
  });
});
