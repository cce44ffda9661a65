import type { Client } from '../../../src/clients/client.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { aLicense, aNewLicense, anActivation } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { aLogin, aSession, aToken } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { timesInScope } from '../../scope.js';
import { describeOnMongo } from '../engines.js';
import { instancesOnOneDatabase } from '../instances.js';
import type { MongoUnderTest } from '../mongo.engine.js';
import { Stored } from '../stored.js';

describeOnMongo('several instances on one MongoDB', () => {
  const instances = instancesOnOneDatabase(4);
  let store: MongoUnderTest;
  let stored: Stored;
  beforeAll(() => {
    store = instances[0]!;
    stored = new Stored(store);
  });

  /** What each of `times` simultaneous calls answers, the instances taking turns. */
  const race = <T>(times: number, call: (one: MongoUnderTest, index: number) => Promise<T>) =>
    Promise.all(
      Array.from({ length: times }, (_, index) =>
        call(instances[index % instances.length]!, index),
      ),
    );

  const create =
    (client: Client) =>
    ({ projects }: Pick<MongoUnderTest, 'projects'>) => {
      const project = aProject(client);
      return projects.createWithFirstLicense(project, aNewLicense(aLicense(project)));
    };

  it('make what a new database lacks at the same moment', async () => {
    await store.connection.dropDatabase();
    const joining = await Promise.allSettled([store.join(), store.join(), store.join()]);
    const joined = joining.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await Promise.all(joined.map((instance) => instance.leave()));
    expect(joined).toHaveLength(3);
    expect(await store.collection('licenses').indexExists('keyHash_1')).toBe(true);
  });

  it('create every one of 20 simultaneous projects of one client', async () => {
    const client = aClient();
    await store.clients.create(client);
    const outcomes = await race(20, create(client));
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(20);
    expect(await store.contradictions()).toStrictEqual([]);
  });

  it('never leave a project without its client', async () => {
    for (let round = 0; round < timesInScope(50); round++) {
      const client = aClient();
      await store.clients.create(client);
      const outcomes = await race(4, async ({ projects, clients }, index) => {
        if (index === round % 4) return clients.deleteWithoutProjects(client._id, client.owner);
        return create(client)({ projects });
      });
      const responses = new Set(outcomes.map((one) => (typeof one === 'object' ? 'created' : one)));
      expect([...responses].toSorted()).toStrictEqual(
        responses.has('deleted') ? ['client_not_found', 'deleted'] : ['created', 'has_projects'],
      );
    }
    expect(await store.contradictions()).toStrictEqual([]);
  });

  it('give a new token to at most one of 50 simultaneous uses, and end the session', async () => {
    const user = aUser();
    await store.users.create(user);
    const first = aToken();
    await store.sessions.start(aSession(user), aLogin(user, first));
    const outcomes = await race(50, async ({ sessions }, index) => {
      const successor = { tokenHash: `next ${index}`, expiresAt: at(60) };
      const { outcome } = await sessions.rotate(first, successor, at(1));
      return outcome;
    });
    expect(outcomes.filter((outcome) => outcome === 'rotated')).toHaveLength(1);
    expect(outcomes).toContain('replayed');
    expect(await store.count('sessions')).toBe(0);
  });

  it('keep one value for all', async () => {
    const kept = await race(20, ({ deployment }, index) =>
      deployment.keepFirst('data-keys', `value ${index}`),
    );
    expect(new Set(kept).size).toBe(1);
  });

  it('find a license as whichever of them has changed it last', async () => {
    for (let round = 0; round < 10; round++) {
      const license = await stored.license();
      const found = async () => {
        const all = await race(4, ({ licenses }) => licenses.findByKeyHash(license.keyHash));
        return new Set(all.map((one) => one?.status));
      };
      const changing = instances[round % 4]!;
      expect(await found()).toStrictEqual(new Set(['PENDING']));
      const activated = anEvent(license, 'activated');
      await changing.licenses.activate(license._id, anActivation('machine 1'), activated);
      expect(await found()).toStrictEqual(new Set(['ACTIVE']));
      const revocation = { revokedAt: at(3), revokedReason: null };
      const revoked = anEvent(license, 'revoked');
      await changing.licenses.revoke(license._id, license.user, revocation, revoked);
      expect(await found()).toStrictEqual(new Set(['REVOKED']));
    }
  });
});
