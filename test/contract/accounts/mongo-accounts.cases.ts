import { publicPart, rotated } from '../../../src/certificates/signing-keys/signing-keys.js';
import { aClient } from '../../builders/client.builder.js';
import { aLogin, aSession } from '../../builders/session.builder.js';
import { aSigningKey, someSigningKeys } from '../../builders/signing-keys.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { timesInScope } from '../../scope.js';
import { describeOnMongo } from '../../engines.js';
import { activationOf } from '../port-arguments.js';
import { race } from '../race.js';
import { useInstances } from '../use-instances.js';

describeOnMongo('accounts on several instances with one MongoDB', () => {
  const { store, other, stored, callEach } = useInstances(2);

  it('have exactly one first of 20 that are created at the same time, again after all are deleted', async () => {
    for (let round = 0; round < timesInScope(20); round++) {
      const users = Array.from({ length: 20 }, () => aUser());
      const outcomes = await Promise.all(
        callEach(20, (instance, index) => instance.users.createFirst(users[index]!)),
      );
      expect(outcomes.toSorted()).toStrictEqual([
        'created',
        ...Array<string>(19).fill('not_first'),
      ]);
      expect(await store.count('users')).toBe(1);
      await store.accountDeletion.deleteEmpty(users[outcomes.indexOf('created')]!._id, at(1));
    }
  });

  it('have no client that another instance creates while they are deleted', async () => {
    for (let round = 0; round < timesInScope(50); round++) {
      const user = await stored.user();
      if (round % 4 > 1) {
        // In half of the rounds the account already has totals.
        await other.clients.create(aClient({ owner: user._id }));
        await other.accountDeletion.deleteClients(user._id);
      }
      const client = aClient({ owner: user._id });
      const [created, deleted] = await race(
        round,
        () => other.clients.create(client),
        () => store.accountDeletion.deleteEmpty(user._id, at(1)),
      );
      const both = [created === 'account_deleted', deleted];
      expect([
        [true, 'deleted'],
        [false, 'has_clients'],
      ]).toContainEqual(both);
      const left = await store.clients.findOwned(client._id, user._id);
      expect(left === null).toBe(deleted === 'deleted');
    }
  });

  it('have no signing keys that another instance creates or imports while they are deleted', async () => {
    for (let round = 0; round < timesInScope(50); round++) {
      const user = await stored.user();
      const { _id } = user;
      // In half of the rounds the account already has signing keys.
      const earlier = round % 4 > 1 ? await stored.signingKeys({ _id }) : undefined;
      const keys = someSigningKeys({ _id, rotations: 1 });
      const { signingKeys } = other;
      const [[kept, imported], deleted] = await race(
        round,
        () => Promise.all([signingKeys.keepFirst(keys), signingKeys.import(keys)]),
        () => store.accountDeletion.deleteEmpty(_id, at(1)),
      );
      expect(deleted).toBe('deleted');
      expect(['imported', 'account_deleted']).toContain(imported);
      expect(['account_deleted', keys, earlier]).toContainEqual(kept);
      expect(await store.signingKeys.find(_id)).toBeNull();
      expect(await store.signingKeys.keepFirst(keys)).toBe('account_deleted');
    }
  });

  it('agree on signing keys that all instances create at the same time', async () => {
    for (let round = 0; round < timesInScope(20); round++) {
      const { _id } = await stored.user();
      const kept = await Promise.all(
        callEach(20, ({ signingKeys }) => signingKeys.keepFirst(someSigningKeys({ _id }))),
      );
      expect(kept).toStrictEqual(Array(20).fill(await store.signingKeys.find(_id)));
    }
  });

  it('are rotated by one of 20 rotations of the same key', async () => {
    for (let round = 0; round < timesInScope(20); round++) {
      const keys = await stored.signingKeys();
      const rotations = await Promise.all(
        callEach(20, ({ signingKeys }) => {
          const after = rotated(keys, aSigningKey(), false, at(1))!;
          return signingKeys.rotate(keys.current.kid, after);
        }),
      );
      const after = (await store.signingKeys.find(keys._id))!;
      expect(rotations.filter((one) => one !== null)).toStrictEqual([publicPart(after)]);
      expect(after.rotations).toBe(1);
    }
  });

  it('lose no license that another instance activates while they are deleted', async () => {
    for (let round = 0; round < timesInScope(20); round++) {
      const user = await stored.user();
      const client = await stored.client({ owner: user._id });
      const { license } = await stored.project(client);
      const [activated, deleted] = await race(
        round,
        () => other.licenses.activate(...activationOf(license)),
        () => store.accountDeletion.deleteProject(user._id, true, at(1)),
      );
      expect(deleted).toBe(activated ? 'has_active_licenses' : 'deleted');
    }
  });

  it('share the known login addresses', async () => {
    const user = await stored.user();
    const login = aLogin(user);
    await store.sessions.start(aSession(user), login);
    expect(await other.sessions.isKnownAddress(login.addressHash)).toBe(true);
  });
});
