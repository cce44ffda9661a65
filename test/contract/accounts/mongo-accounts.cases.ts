import type { User } from '../../../src/auth/accounts/user.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { anActivation } from '../../builders/license.builder.js';
import { aLogin, aSession } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { timesInScope } from '../../scope.js';
import { describeOnMongo } from '../engines.js';
import { instancesOnOneDatabase } from '../instances.js';
import type { MongoUnderTest } from '../mongo.engine.js';
import { race } from '../race.js';
import { Stored } from '../stored.js';

describeOnMongo('accounts on several instances with one MongoDB', () => {
  const instances = instancesOnOneDatabase(2);
  let store: MongoUnderTest;
  let other: MongoUnderTest;
  beforeAll(() => ([store, other] = instances as [MongoUnderTest, MongoUnderTest]));

  const stored = async (): Promise<User> => {
    const user = aUser();
    await store.users.create(user);
    return user;
  };

  it('have exactly one first of 20 at the same moment, also when all have been deleted', async () => {
    for (let round = 0; round < timesInScope(20); round++) {
      const users = Array.from({ length: 20 }, () => aUser());
      const outcomes = await Promise.all(
        users.map((user, index) => (index % 2 ? store : other).users.createFirst(user)),
      );
      expect(outcomes.toSorted()).toStrictEqual([
        'created',
        ...Array<string>(19).fill('not_first'),
      ]);
      expect(await store.count('users')).toBe(1);
      await store.accountDeletion.deleteEmpty(users[outcomes.indexOf('created')]!._id, at(1));
    }
  });

  it('have no client that another instance has created at the moment of the deletion', async () => {
    for (let round = 0; round < timesInScope(50); round++) {
      const user = await stored();
      if (round % 4 > 1) {
        // With totals from before, or none.
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
    expect(await store.contradictions()).toStrictEqual([]);
  });

  it('lose no license that another instance activates at the moment of the deletion', async () => {
    for (let round = 0; round < timesInScope(20); round++) {
      const user = await stored();
      const records = new Stored(store);
      const client = await records.client({ owner: user._id });
      const { license } = await records.project(client);
      const event = anEvent(license, 'activated');
      const [activated, deleted] = await race(
        round,
        () => other.licenses.activate(license._id, anActivation('machine 1'), event),
        () => store.accountDeletion.deleteFromProject(user._id, at(1)),
      );
      expect(deleted).toBe(activated ? 'has_active_licenses' : 'deleted');
    }
    expect(await store.contradictions()).toStrictEqual([]);
  });

  it('share the known login addresses', async () => {
    const user = await stored();
    const login = aLogin(user);
    await store.sessions.start(aSession(user), login);
    expect(await other.sessions.isKnownAddress(login.addressHash)).toBe(true);
  });
});
