import { setTimeout } from 'node:timers/promises';
import type { NamedLimit } from '../../../src/shared/rate-limit/rate-limit-windows.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { Deadline } from '../../../src/shared/request-context.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { aLogin, aSession } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { OwnMongod } from '../../mongod/own-mongod.js';
import { describeOnMongo } from '../../engines.js';
import { inRequest } from '../in-request.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { firstPage } from '../pages.js';
import { activationOf, aProjectWithLicense } from '../port-arguments.js';

// A request fails within 3 s, by its deadline; the rest is a margin for a machine under load.
const LATEST_MS = 5_000;
const LIMIT: NamedLimit = { name: 'activation', requests: 1_000, seconds: 900 };
const UNAVAILABLE = { code: 'STORE_UNAVAILABLE' };

describeOnMongo('MongoDB that goes away', () => {
  let mongod: OwnMongod;
  let store: MongoUnderTest;
  const client = aClient();
  const missing = { _id: newObjectId() };
  beforeAll(async () => {
    mongod = await OwnMongod.start();
    store = await MongoUnderTest.open(mongod.uri, new Deadline());
    await store.clients.create(client);
  });
  afterAll(async () => {
    await store?.leave();
    await mongod?.stop();
  });

  const create = ({ projects }: MongoUnderTest, of: typeof client) =>
    projects.createWithFirstLicense(...aProjectWithLicense(of));

  /** Calls of each kind: a ping, reads, writes, and transactions of one client. */
  const calls = async () => {
    const nobody = aUser();
    const begin = performance.now();
    const outcomes = await Promise.allSettled([
      store.health.ping(),
      store.licenses.findByKeyHash('hash'),
      store.users.create(aUser()),
      store.licenses.activate(...activationOf(missing)),
      store.events.recordRejection(anEvent(missing, 'activation_refused')),
      store.dashboard.read(client.owner, { client: undefined, search: undefined }, firstPage()),
      store.clients.listOwned(client.owner, undefined, firstPage()),
      store.sessions.start(aSession(nobody), aLogin(nobody)),
      store.rateLimits.hit(LIMIT, '192.0.2.1', at(1)),
      store.rateLimits.reserve(LIMIT, '192.0.2.2', at(1)),
      ...Array.from({ length: 20 }, () => create(store, client)),
    ]);
    return { outcomes, duration: performance.now() - begin };
  };

  const expectResponses = async () => {
    // Without a short deadline, as the machine may be slow.
    const { outcomes } = await inRequest(60_000, calls);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toStrictEqual([]);
  };

  const expectRejections = async () => {
    const { outcomes, duration } = await calls();
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
    }
    expect(duration).toBeLessThan(LATEST_MS);
  };

  const responds = ({ health } = store) =>
    health.ping().then(
      () => true,
      () => false,
    );

  // A signal takes a moment to reach every thread of the server.
  const untilGone = async () => {
    while (await responds()) await setTimeout(10);
  };

  const untilRecovered = async (instance = store) => {
    while (!(await responds(instance))) await setTimeout(50);
  };

  it('has a deadline that leaves a request 200 ms of its 3 s', () => {
    expect(new Deadline().milliseconds).toBeLessThanOrEqual(2_800);
  });

  it('fails every call at the deadline while it hangs, and serves again when it continues', async () => {
    await expectResponses();
    mongod.signal('SIGSTOP');
    await untilGone();
    await expectRejections();
    mongod.signal('SIGCONT');
    await untilRecovered();
    await expectResponses();
    expect(await store.contradictions()).toStrictEqual([]);
  });

  it('keeps no lock for a transaction that it begins after its request has failed', async () => {
    const other = await store.join();
    try {
      const clients = Array.from({ length: 60 }, () => aClient());
      // One after the other, so on few connections: the creations below need more than these.
      for (const one of clients) await store.clients.create(one);
      mongod.signal('SIGSTOP');
      const creations = clients.map((one) => inRequest(500, () => create(store, one)));
      for (const outcome of await Promise.allSettled(creations)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
      }
      // The driver stops aborting them after 5 s: 3 s to find the server dead, 2 s to look for another.
      const end = performance.now() + 6_000;
      while (performance.now() < end) expect(await responds()).toBe(false);
      mongod.signal('SIGCONT');
      await untilRecovered(other);
      // By another instance: the first one would end a transaction by using its session again.
      await Promise.all(clients.map((one) => inRequest(10_000, () => create(other, one))));
    } finally {
      mongod.signal('SIGCONT');
      await other.leave();
    }
    expect(await store.contradictions()).toStrictEqual([]);
  });

  it('fails every call at the deadline once it is dead', async () => {
    mongod.signal('SIGKILL');
    await untilGone();
    await expectRejections();
  });
});
