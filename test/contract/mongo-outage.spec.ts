import { setTimeout } from 'node:timers/promises';
import { newObjectId } from '../../src/shared/ids/object-id.js';
import { Deadline } from '../../src/shared/time/deadline.js';
import { aClient } from '../builders/client.builder.js';
import { anEvent } from '../builders/event.builder.js';
import { aLicense, aNewLicense, anActivation } from '../builders/license.builder.js';
import { aProject } from '../builders/project.builder.js';
import { aLogin, aSession } from '../builders/session.builder.js';
import { aUser } from '../builders/user.builder.js';
import { OwnMongod } from '../mongod/own-mongod.js';
import { describeOnMongo } from './engines.js';
import { inRequest } from './in-request.js';
import { MongoUnderTest } from './mongo.engine.js';
import { firstPage } from './pages.js';

// A request fails within 3 s by the deadline; the rest is for a machine under load, which may be late to tell.
const LATEST_MS = 5_000;

describeOnMongo('MongoDB that goes away', () => {
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
      store.events.recordRefusal(anEvent(missing, 'activation_refused')),
      store.dashboard.read(client.owner, { client: undefined, search: undefined }, firstPage()),
      store.clients.listOwned(client.owner, undefined, firstPage()),
      store.sessions.start(aSession(nobody), aLogin(nobody)),
      ...Array.from({ length: 20 }, () => {
        const project = aProject(client);
        return store.projects.createWithFirstLicense(project, aNewLicense(aLicense(project)));
      }),
    ]);
    return { outcomes, duration: performance.now() - begin };
  };

  const expectAnswers = async () => {
    // How soon they are done is for the pace of the machine.
    const { outcomes } = await inRequest(60_000, calls);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toStrictEqual([]);
  };

  const expectRefusals = async () => {
    const { outcomes, duration } = await calls();
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'STORE_UNAVAILABLE' } });
    }
    expect(duration).toBeLessThan(LATEST_MS);
  };

  const answers = () =>
    store.health.ping().then(
      () => true,
      () => false,
    );

  // A signal takes a moment to reach every thread of the server.
  const gone = async () => {
    while (await answers()) await setTimeout(10);
  };

  const recovered = async () => {
    while (!(await answers())) await setTimeout(50);
  };

  it('has a deadline that leaves a request 200 ms of its 3 s', () => {
    expect(new Deadline().milliseconds).toBeLessThanOrEqual(2_800);
  });

  it('fails every call at the deadline while it hangs, and serves again when it goes on', async () => {
    await expectAnswers();
    mongod?.signal('SIGSTOP');
    await gone();
    await expectRefusals();
    mongod?.signal('SIGCONT');
    await recovered();
    await expectAnswers();
    expect(await store.contradictions()).toStrictEqual([]);
  });

  it('fails every call at the deadline once it is dead', async () => {
    mongod?.signal('SIGKILL');
    await gone();
    await expectRefusals();
  });
});
