import { setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { aLicense, aNewLicense, anActivation } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { aLogin, aSession } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { OwnMongod } from '../../mongod/own-mongod.js';
import { describeOnMongo } from '../engines.js';
import { inRequest } from '../in-request.js';
import { type Failure, MongoUnderTest } from '../mongo.engine.js';
import { firstPage } from '../pages.js';
import { Stored } from '../stored.js';

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE', retryAfter: 1 };

describeOnMongo('the deadline of a request on MongoDB', () => {
  let mongod: OwnMongod | undefined;
  let store: MongoUnderTest;
  let stored: Stored;
  beforeAll(async () => {
    mongod = await OwnMongod.start();
    const uri = new URL(mongod.uri);
    uri.searchParams.set('monitorCommands', 'true');
    store = await MongoUnderTest.open(uri.href);
    stored = new Stored(store);
  });
  afterAll(async () => {
    await store?.close();
    await mongod?.stop();
  });
  afterEach(async () => expect(await store.contradictions()).toStrictEqual([]));

  const server = () => store.connection.getClient();
  const failing = async (failure: Failure, work: () => Promise<unknown>) => {
    const heal = await store.inject(failure);
    try {
      await work();
    } finally {
      await heal();
    }
  };

  const create = (client = aClient(), { projects } = store) => {
    const project = aProject(client);
    return projects.createWithFirstLicense(
      project,
      aNewLicense(aLicense(project)),
      anIdempotencyRecord(),
    );
  };

  const startSession = (user = aUser()) => store.sessions.start(aSession(user), aLogin(user));

  it('is one for all of its statements, of which each by itself is quick enough', async () => {
    const user = aUser();
    await store.users.create(user);
    const counts = () => Promise.all([store.count('sessions'), store.count('projects')]);
    const before = await counts();
    const slow = { failCommands: ['find', 'update', 'insert', 'delete', 'findAndModify'] };
    await failing({ ...slow, blockConnection: true, blockTimeMS: 600 }, async () => {
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
    expect(await counts()).toStrictEqual(before);
  });

  it('leaves nothing to a request that comes after it', async () => {
    const commands: string[] = [];
    const note = ({ commandName }: mongo.CommandStartedEvent) => void commands.push(commandName);
    server().on('commandStarted', note);
    await expect(inRequest(0, () => create())).rejects.toMatchObject(UNAVAILABLE);
    await expect(inRequest(0, () => store.health.ping())).rejects.toMatchObject(UNAVAILABLE);
    server().off('commandStarted', note);
    expect(commands).toStrictEqual([]);
  });

  it('ends on the server what still runs there', async () => {
    const client = await stored.client();
    const license = await stored.license();
    // Every write waits until it is unlocked, and would then be done.
    await server().db('admin').command({ fsync: 1, lock: true });
    try {
      const writes: (() => Promise<unknown>)[] = [
        () => store.users.create(aUser()),
        () => store.clients.update(client._id, client.owner, { name: 'Other' }, at(1)),
        () => create(client),
        () =>
          store.licenses.activate(
            license._id,
            anActivation('machine'),
            anEvent(license, 'activated'),
          ),
      ];
      const outcomes = await Promise.allSettled(writes.map((write) => inRequest(1_000, write)));
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
      }
      // What the transactions have left is ended a moment later.
      while ((await runningCommands()).length > 0) await setTimeout(10);
    } finally {
      await server().db('admin').command({ fsyncUnlock: 1 });
    }
    expect(await store.clients.findOwned(client._id, client.owner)).toStrictEqual(client);
    expect(await store.licenses.findByKeyHash(license.keyHash)).toStrictEqual(license);
    const { data } = await store.projects.listOwned(client.owner, undefined, firstPage());
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
    // The server never knows whether a majority has it: so the commit is asked for again and again.
    const unknown = { writeConcernError: { code: 64, errmsg: 'waiting was interrupted' } };
    await failing({ failCommands: ['commitTransaction'], ...unknown }, async () => {
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
    // The failures are injected into the commands of one name.
    uri.searchParams.set('appName', 'other');
    const other = await MongoUnderTest.connect(uri);
    // The server never sees these commands, so it has no reason to end the transaction by itself.
    const failure = { failCommands: ['insert', 'abortTransaction'], closeConnection: true };
    await failing(failure, async () => {
      const creation = inRequest(1_000, () => create(client));
      await expect(creation).rejects.toMatchObject(UNAVAILABLE);
      const next = inRequest(5_000, () => create(client, other));
      await expect(next).resolves.toMatchObject({ project: { client: client._id } });
    });
    await other.leave();
  });
});
