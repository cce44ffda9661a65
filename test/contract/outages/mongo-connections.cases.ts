import { setTimeout } from 'node:timers/promises';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { aLogin, aSession } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { describeOnMongo } from '../../engines.js';
import { inRequest } from '../in-request.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { firstPage } from '../pages.js';
import { activationOf, aProjectWithLicense } from '../port-arguments.js';
import { useOwnMongod } from '../use-own-mongod.js';

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE', retryAfter: 1 };
const EVERYTHING = { client: undefined, search: undefined };

describeOnMongo('the connections to MongoDB', () => {
  /** Connections in use now, and when the driver first cleared its pool because the server seemed dead. */
  const used = new Set<unknown>();
  let usedWhenCleared: number | undefined;
  const { mongod, store, stored } = useOwnMongod((uri) => MongoUnderTest.open(uri));
  beforeAll(() => {
    server()
      .on('connectionCheckedOut', ({ connectionId }) => used.add(connectionId))
      .on('connectionCheckedIn', ({ connectionId }) => used.delete(connectionId))
      .on('connectionPoolCleared', () => (usedWhenCleared ??= used.size));
  });

  const server = () => store.connection.getClient();
  const create = (client = aClient()) =>
    store.projects.createWithFirstLicense(...aProjectWithLicense(client));
  const startSession = () => {
    const user = aUser();
    return store.sessions.start(aSession(user), aLogin(user));
  };

  it('are released by 200 requests to a server that hangs, and can be used when it continues', async () => {
    const client = await stored.client();
    const { keyHash } = await stored.license();
    const calls: (() => Promise<unknown>)[] = [
      () => create(client),
      () => create(),
      () => store.licenses.findByKeyHash(keyHash),
      () => store.dashboard.read(client.owner, EVERYTHING, firstPage(20)),
      () => startSession(),
    ];
    mongod.signal('SIGSTOP');
    try {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 200 }, (_, index) => inRequest(500, calls[index % calls.length]!)),
      );
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
      }
      // Released by the deadline, not by the driver, which clears its pool seconds later.
      while (used.size > 0 && usedWhenCleared === undefined) await setTimeout(1);
      expect(usedWhenCleared ?? used.size).toBe(0);
    } finally {
      mongod.signal('SIGCONT');
    }
    const license = inRequest(60_000, () => store.licenses.findByKeyHash(keyHash));
    await expect(license).resolves.toMatchObject({ keyHash });
    await expect(create(client)).resolves.toMatchObject({ project: { client: client._id } });
  });

  it('are released by failed transactions, even while these cannot be ended on the server', async () => {
    const client = await stored.client();
    const failing = ['insert', 'abortTransaction', 'killSessions'];
    await store.whileInjecting({ failCommands: failing, closeConnection: true }, async () => {
      const creations = Array.from({ length: 64 }, () =>
        inRequest(500, () => store.clients.create(aClient())),
      );
      for (const outcome of await Promise.allSettled(creations)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
      }
      const read = inRequest(10_000, () => store.clients.findOwned(client._id, client.owner));
      await expect(read).resolves.toStrictEqual(client);
    });
  });

  it('are available to license checks, however many other statements run and wait', async () => {
    const license = await stored.license();
    const hang = { configureFailPoint: 'waitInFindBeforeMakingBatch' };
    const nss = `${store.connection.name}.clients`;
    const admin = server().db('admin');
    await admin.command({ ...hang, mode: 'alwaysOn', data: { nss } });
    let responded = 0;
    const others = Array.from({ length: 200 }, async () => {
      await store.clients.listOwned(license.user, undefined, firstPage());
      responded++;
    });
    const limit = { name: 'activation', requests: 5, seconds: 900 } as const;
    expect(await store.rateLimits.hit(limit, '192.0.2.1', at(1))).toMatchObject({ hits: 1 });
    const found = await store.licenses.findByKeyHash(license.keyHash);
    expect(found).toStrictEqual(license);
    await store.events.recordRejection(anEvent(license, 'activation_refused'));
    const active = await store.licenses.activate(...activationOf(license));
    expect(active).toMatchObject({ status: 'ACTIVE' });
    await store.health.ping();
    expect(responded).toBe(0);
    await admin.command({ ...hang, mode: 'off' });
    await Promise.all(others);
  });
});
