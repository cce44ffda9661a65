import { setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aClient } from '../../builders/client.builder.js';
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

describeOnMongo('the deadline of a request on MongoDB', () => {
  const { store, stored } = useOwnMongod((serverUri) => {
    const uri = new URL(serverUri);
    uri.searchParams.set('monitorCommands', 'true');
    return MongoUnderTest.open(uri.href);
  });

  const server = () => store.connection.getClient();

  const create = (client = aClient(), { projects } = store) =>
    projects.createWithFirstLicense(...aProjectWithLicense(client), anIdempotencyRecord());

  const startSession = (user = aUser()) => store.sessions.start(aSession(user), aLogin(user));

  it('bounds all of its statements together, though each of them is quick enough', async () => {
    const user = await stored.user();
    const before = await stored.counts();
    const slow = { failCommands: ['find', 'update', 'insert', 'delete', 'findAndModify'] };
    await store.whileInjecting({ ...slow, blockConnection: true, blockTimeMS: 800 }, async () => {
      const login = inRequest(1_500, async () => {
        await store.users.findByEmail(user.email);
        return startSession(user);
      });
      const client = aClient();
      const creation = inRequest(1_500, () => create(client));
      await Promise.all([
        expect(login).rejects.toMatchObject(UNAVAILABLE),
        expect(creation).rejects.toMatchObject(UNAVAILABLE),
      ]);
    });
    expect(await stored.counts()).toStrictEqual(before);
  });

  it('lets no statement begin after it', async () => {
    const commands: string[] = [];
    const note = ({ commandName }: mongo.CommandStartedEvent) => void commands.push(commandName);
    server().on('commandStarted', note);
    await expect(inRequest(0, () => create())).rejects.toMatchObject(UNAVAILABLE);
    await expect(inRequest(0, () => store.health.ping())).rejects.toMatchObject(UNAVAILABLE);
    server().off('commandStarted', note);
    expect(commands).toStrictEqual([]);
  });

  it('ends the statements that still run on the server', async () => {
    const client = await stored.client();
    const license = await stored.license();
    // Every write waits until the server is unlocked, and would then be done.
    await server().db('admin').command({ fsync: 1, lock: true });
    try {
      const writes: (() => Promise<unknown>)[] = [
        () => store.users.create(aUser()),
        () => store.clients.update(client._id, client.owner, { name: 'Other' }, at(1)),
        () => create(client),
        () => store.licenses.activate(...activationOf(license)),
      ];
      const outcomes = await Promise.allSettled(writes.map((write) => inRequest(1_000, write)));
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
      }
      // The transactions are aborted a moment later.
      while ((await runningCommands()).length > 0) await setTimeout(10);
    } finally {
      await server().db('admin').command({ fsyncUnlock: 1 });
    }
    expect(await store.clients.findOwned(client._id, client.owner)).toStrictEqual(client);
    expect(await store.licenses.findByKeyHash(license.keyHash)).toStrictEqual(license);
    const query = { client: client._id, product: undefined };
    const { data } = await store.projects.listOwned(client.owner, query, firstPage());
    expect(data).toStrictEqual([]);
  });

  const runningCommands = async () => {
    const operations = await server()
      .db('admin')
      .aggregate<{ ns: string; active: boolean }>([{ $currentOp: {} }], {
        readConcern: { level: 'local' },
      })
      .toArray();
    return operations.filter(({ ns, active }) => active && ns?.startsWith('contract-'));
  };

  it('lets no commit begin after it', async () => {
    const client = await stored.client();
    let commits = 0;
    const note = ({ commandName }: mongo.CommandStartedEvent) => {
      if (commandName === 'commitTransaction') commits++;
    };
    server().on('commandStarted', note);
    // The outcome stays unknown, so the driver sends the commit again and again.
    const unknown = { writeConcernError: { code: 64, errmsg: 'waiting was interrupted' } };
    await store.whileInjecting({ failCommands: ['commitTransaction'], ...unknown }, async () => {
      const creation = inRequest(1_000, () => create(client));
      await expect(creation).rejects.toMatchObject(UNAVAILABLE);
      const atDeadline = commits;
      expect(atDeadline).toBeGreaterThan(1);
      for (let i = 0; i < 20; i++) await store.health.ping();
      expect(commits).toBe(atDeadline);
    });
    server().off('commandStarted', note);
  });

  it('ends a transaction on the server though the driver fails to abort it', async () => {
    const client = await stored.client();
    const uri = new URL(store.uri);
    // Failures are injected into the commands of one client name alone.
    uri.searchParams.set('appName', 'other');
    const other = await MongoUnderTest.connect(uri);
    // These commands never reach the server, so it does not end the transaction by itself.
    const failure = { failCommands: ['insert', 'abortTransaction'], closeConnection: true };
    await store.whileInjecting(failure, async () => {
      const creation = inRequest(1_000, () => create(client));
      await expect(creation).rejects.toMatchObject(UNAVAILABLE);
      const next = inRequest(5_000, () => create(client, other));
      await expect(next).resolves.toMatchObject({ project: { client: client._id } });
    });
    await other.leave();
  });
});
