import { setTimeout } from 'node:timers/promises';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { Deadline } from '../../../src/shared/request-context.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { aLicense, aNewLicense, anActivation } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { aLogin, aSession } from '../../builders/session.builder.js';
import { aUser } from '../../builders/user.builder.js';
import { OwnMongod } from '../../mongod/own-mongod.js';
import { describeOnMongoInFull } from '../engines.js';
import { inRequest } from '../in-request.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { firstPage } from '../pages.js';

// A request fails within 3 s by the deadline; the rest is for a machine under load, which may be late to tell.
const LATEST_MS = 5_000;
const UNAVAILABLE = { code: 'STORE_UNAVAILABLE' };

describeOnMongoInFull('MongoDB that goes away', () => {
  let mongod: OwnMongod | undefined;
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

  const create = ({ projects }: MongoUnderTest, of: typeof client) => {
    const project = aProject(of);
    return projects.createWithFirstLicense(project, aNewLicense(aLicense(project)));
  };

  /** Calls of each kind: reads, writes, transactions over one client, and whether the store is there. */
  const calls = async () => {
    const nobody = aUser();
    const begin = performance.now();
    const outcomes = await Promise.allSettled([
      store.health.ping(),
      store.licenses.findByKeyHash('hash'),
      store.users.create(aUser()),
      store.licenses.activate(
        missing._id,
        anActivation('machine 1'),
        anEvent(missing, 'activated'),
      ),
      store.events.recordRejection(anEvent(missing, 'activation_refused')),
      store.dashboard.read(client.owner, { client: undefined, search: undefined }, firstPage()),
      store.clients.listOwned(client.owner, undefined, firstPage()),
      store.sessions.start(aSession(nobody), aLogin(nobody)),
      ...Array.from({ length: 20 }, () => create(store, client)),
    ]);
    return { outcomes, duration: performance.now() - begin };
  };

  const expectResponses = async () => {
    // How soon they are done is for the pace of the machine.
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

  const responses = ({ health } = store) =>
    health.ping().then(
      () => true,
      () => false,
    );

  // A signal takes a moment to reach every thread of the server.
  const gone = async () => {
    while (await responses()) await setTimeout(10);
  };

  const recovered = async (instance = store) => {
    while (!(await responses(instance))) await setTimeout(50);
  };

  it('has a deadline that leaves a request 200 ms of its 3 s', () => {
    expect(new Deadline().milliseconds).toBeLessThanOrEqual(2_800);
  });

  it('fails every call at the deadline while it hangs, and serves again when it goes on', async () => {
    await expectResponses();
    mongod?.signal('SIGSTOP');
    await gone();
    await expectRejections();
    mongod?.signal('SIGCONT');
    await recovered();
    await expectResponses();
    expect(await store.contradictions()).toStrictEqual([]);
  });

  it('keeps no lock for a transaction that it begins when it goes on, after its request has failed', async () => {
    const other = await store.join();
    try {
      const clients = Array.from({ length: 60 }, () => aClient());
      // One after the other, and so by few connections: the creations below are more than these.
      for (const one of clients) await store.clients.create(one);
      mongod?.signal('SIGSTOP');
      const creations = clients.map((one) => inRequest(500, () => create(store, one)));
      for (const outcome of await Promise.allSettled(creations)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
      }
      // The driver gives up aborting them: 3 s until it takes the server for dead, 2 s to find another.
      const end = performance.now() + 6_000;
      while (performance.now() < end) expect(await responses()).toBe(false);
      mongod?.signal('SIGCONT');
      await recovered(other);
      // By another instance: no use of a session of the first one ends its transaction in passing.
      await Promise.all(clients.map((one) => inRequest(10_000, () => create(other, one))));
    } finally {
      mongod?.signal('SIGCONT');
      await other.leave();
    }
    expect(await store.contradictions()).toStrictEqual([]);
  });

  it('fails every call at the deadline once it is dead', async () => {
    mongod?.signal('SIGKILL');
    await gone();
    await expectRejections();
  });
});
