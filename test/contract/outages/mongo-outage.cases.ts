import { setTimeout } from 'node:timers/promises';
import type { NamedLimit } from '../../../src/rate-limits/rate-limit-windows.js';
import { Deadline } from '../../../src/shared/request-context.js';
import { increment, insert, touch } from '../../../src/storage/changes.js';
import type { Store } from '../../../src/storage/store.js';
import { describeOnMongo } from '../../engines.js';
import { inRequest } from '../in-request.js';
import { ACCOUNT, anItem, aShelf, at, ITEMS, SHELVES } from '../records.js';
import { useOwnMongod } from '../use-own-mongod.js';

// The rest is a margin for a machine under load.
const DEADLINE = { milliseconds: 800 };
const LATEST_MS = 3_000;
const LIMIT: NamedLimit = { name: 'activation', requests: 1_000, seconds: 900 };
const UNAVAILABLE = { code: 'STORE_UNAVAILABLE' };
const OF_ACCOUNT = { account: ACCOUNT };

describeOnMongo('MongoDB that goes away', () => {
  const { mongod, opened, store } = useOwnMongod(DEADLINE);
  const shelf = aShelf();
  beforeAll(() => inRequest(60_000, () => store.commit([insert(SHELVES, shelf)])));

  const add = (to: Store, _id = shelf._id) =>
    to.commit([increment(SHELVES, _id, { items: 1 }), insert(ITEMS, anItem({ shelf: _id }))]);

  /** Calls of each kind: a ping, reads, writes, and transactions that change one record. */
  const calls = async () => {
    const begin = performance.now();
    const outcomes = await Promise.allSettled<unknown>([
      store.ping(),
      store.find(ITEMS, { code: 'code' }),
      store.list(ITEMS, OF_ACCOUNT, { by: 'rank', direction: 'asc' }, { limit: 1 }),
      store.countBy(ITEMS, OF_ACCOUNT, 'state'),
      store.commit([insert(ITEMS, anItem())]),
      store.commit([touch(SHELVES, shelf._id)]),
      opened.rateLimits.hit(LIMIT, '192.0.2.1', at(1)),
      opened.rateLimits.reserve(LIMIT, '192.0.2.2', at(1)),
      ...Array.from({ length: 20 }, () => add(store)),
    ]);
    return { outcomes, duration: performance.now() - begin };
  };

  const expectRejections = async () => {
    const { outcomes, duration } = await calls();
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
    }
    expect(duration).toBeLessThan(LATEST_MS);
  };

  /** An item is added if its shelf counts it. */
  const expectConsistent = async () => {
    const order = { by: 'createdAt', direction: 'asc' } as const;
    for (const { _id, items } of await store.list(SHELVES, OF_ACCOUNT, order, { limit: 100 })) {
      expect([_id, await store.count(ITEMS, { shelf: _id })]).toEqual([_id, items]);
    }
  };

  const responds = (of: Store = store) =>
    of.ping().then(
      () => true,
      () => false,
    );
  // A signal takes a moment to reach every thread of the server.
  const until = async (isUp: boolean, of: Store = store) => {
    while ((await responds(of)) !== isUp) await setTimeout(10);
  };

  it('has a deadline that leaves a request 200 ms of its 3 s', () => {
    expect(new Deadline().milliseconds).toBeLessThanOrEqual(2_800);
  });

  it('fails every call at the deadline while it hangs, and serves again when it continues', async () => {
    mongod.signal('SIGSTOP');
    await until(false);
    await expectRejections();
    mongod.signal('SIGCONT');
    await until(true);
    // Without a short deadline, as the machine may be slow.
    const { outcomes } = await inRequest(60_000, calls);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toStrictEqual([]);
    await expectConsistent();
  });

  it('keeps no lock for a transaction that it begins after its request has failed', async () => {
    const other = await opened.join();
    try {
      const shelves = Array.from({ length: 60 }, () => aShelf());
      // One after the other, so on few connections: the commits below need more than these.
      for (const one of shelves) await store.commit([insert(SHELVES, one)]);
      mongod.signal('SIGSTOP');
      const added = shelves.map(({ _id }) => inRequest(500, () => add(store, _id)));
      for (const outcome of await Promise.allSettled(added)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
      }
      // The driver stops aborting them after 5 s: 3 s to find the server dead, 2 s to look for another.
      const end = performance.now() + 6_000;
      while (performance.now() < end) expect(await responds()).toBe(false);
      mongod.signal('SIGCONT');
      await until(true, other.store);
      // By another instance: the first one would end a transaction by using its session again.
      await Promise.all(shelves.map(({ _id }) => inRequest(10_000, () => add(other.store, _id))));
    } finally {
      mongod.signal('SIGCONT');
      await other.leave();
    }
    await expectConsistent();
  });

  it('fails every call at the deadline once it is dead', async () => {
    mongod.signal('SIGKILL');
    await until(false);
    await expectRejections();
  });
});
