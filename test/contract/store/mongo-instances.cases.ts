import type { Client } from '../../../src/clients/client.js';
import { aLogin, aSession, aToken } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { timesInScope } from '../../scope.js';
import { describeOnMongo } from '../../engines.js';
import type { MongoUnderTest } from '../mongo.engine.js';
import { activationOf, aProjectWithLicense, revocationOf } from '../port-arguments.js';
import { useInstances } from '../use-instances.js';

describeOnMongo('several instances on one MongoDB', () => {
  const { instances, store, stored, callEach } = useInstances(4);

  const create = ({ projects }: MongoUnderTest, client: Client) =>
    projects.createWithFirstLicense(...aProjectWithLicense(client));

  it('create the collections and indexes of a new database at the same time', async () => {
    await store.connection.dropDatabase();
    const joining = await Promise.allSettled([store.join(), store.join(), store.join()]);
    const joined = joining.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await Promise.all(joined.map((instance) => instance.leave()));
    expect(joined).toHaveLength(3);
    expect(await store.collection('licenses').indexExists('keyHash_1')).toBe(true);
  });

  it('create every one of 20 simultaneous projects of one client', async () => {
    const client = await stored.client();
    const outcomes = await Promise.all(callEach(20, (instance) => create(instance, client)));
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(20);
  });

  it('never leave a project without its client', async () => {
    for (let round = 0; round < timesInScope(50); round++) {
      const client = await stored.client();
      const calls = callEach(4, async (instance, index) => {
        if (index !== round % 4) return create(instance, client);
        return instance.clients.deleteWithoutProjects(client._id, client.owner);
      });
      const outcomes = await Promise.all(calls);
      const responses = new Set(outcomes.map((one) => (typeof one === 'object' ? 'created' : one)));
      expect([...responses].toSorted()).toStrictEqual(
        responses.has('deleted') ? ['client_not_found', 'deleted'] : ['created', 'has_projects'],
      );
    }
  });

  it('give a new token to at most one of 50 simultaneous uses, and end the session', async () => {
    const user = await stored.user();
    const first = aToken();
    await store.sessions.start(aSession(user), aLogin(user, first));
    const rotations = callEach(50, ({ sessions }, index) =>
      sessions.rotate(first, { tokenHash: `next ${index}`, expiresAt: at(60) }, at(1)),
    );
    const outcomes = (await Promise.all(rotations)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'rotated')).toHaveLength(1);
    expect(outcomes).toContain('replayed');
    expect(await store.count('sessions')).toBe(0);
  });

  it('keep one value of an item that all store at the same time', async () => {
    const kept = callEach(20, ({ deployment }, index) =>
      deployment.keepFirst('data-keys', `value ${index}`),
    );
    expect(new Set(await Promise.all(kept)).size).toBe(1);
  });

  it('find a license as of the last change by any of them', async () => {
    for (let round = 0; round < 10; round++) {
      const license = await stored.license();
      const found = async () => {
        const all = callEach(4, ({ licenses }) => licenses.findByKeyHash(license.keyHash));
        return new Set((await Promise.all(all)).map((one) => one?.status));
      };
      const changing = instances[round % 4]!;
      expect(await found()).toStrictEqual(new Set(['PENDING']));
      await changing.licenses.activate(...activationOf(license));
      expect(await found()).toStrictEqual(new Set(['ACTIVE']));
      await changing.licenses.revoke(...revocationOf(license));
      expect(await found()).toStrictEqual(new Set(['REVOKED']));
    }
  });
});
