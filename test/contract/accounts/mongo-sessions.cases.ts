import { setTimeout } from 'node:timers/promises';
import type { RefreshTokenHashes } from '../../../src/auth/sessions/session.js';
import type { User } from '../../../src/auth/accounts/user.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { aLogin, aSession, aToken } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { timesInScope } from '../../scope.js';
import { describeOnMongo } from '../engines.js';
import { instancesOnOneDatabase } from '../instances.js';
import type { MongoUnderTest } from '../mongo.engine.js';

const SLOW_MS = 150;

describeOnMongo('sessions and passwords on several instances with one MongoDB', () => {
  const instances = instancesOnOneDatabase(2);
  let store: MongoUnderTest;
  let other: MongoUnderTest;
  beforeAll(() => ([store, other] = instances as [MongoUnderTest, MongoUnderTest]));

  const stored = async (): Promise<User> => {
    const user = aUser();
    await store.users.create(user);
    return user;
  };

  const logIn = (user: User, token: RefreshTokenHashes) =>
    store.sessions.start(aSession(user), aLogin(user, token));

  const spend = async (token: RefreshTokenHashes) => {
    const successor = { tokenHash: aToken(token).tokenHash, expiresAt: at(60) };
    return (await store.sessions.rotate(token, successor, at(2))).outcome;
  };

  const changeElsewhere = ({ _id: user, passwordHash: currentHash }: User, newHash: string) =>
    other.users.changePassword({ user, session: newObjectId(), currentHash, newHash, at: at(1) });

  const resetElsewhere = ({ _id }: User, newHash: string) =>
    other.users.resetPassword(_id, newHash, at(1));

  const slowly = async (command: string, collection: string, work: () => Promise<unknown>) => {
    const slow = { blockConnection: true, blockTimeMS: SLOW_MS };
    const namespace = `${new URL(store.uri).pathname.slice(1)}.${collection}`;
    const heal = await store.inject({ failCommands: [command], namespace, ...slow }, 1);
    try {
      await work();
    } finally {
      await heal();
    }
  };

  const disableElsewhere = ({ email }: User) => other.users.disable(email, at(1));

  const ways: [string, (user: User, newHash: string) => Promise<unknown>][] = [
    ['change', changeElsewhere],
    ['reset', resetElsewhere],
    ['disabling', disableElsewhere],
  ];

  it.each(ways)('none outlives a %s that another instance makes meanwhile', async (_way, renew) => {
    for (let round = 0; round < timesInScope(50); round++) {
      const user = await stored();
      const token = aToken();
      await Promise.all([
        setTimeout(round % 5).then(() => logIn(user, token)),
        setTimeout(round % 3).then(() => renew(user, 'new hash')),
      ]);
      expect(await spend(token)).toBe('unknown');
    }
  });

  it.each(ways)('none outlives a %s before which it began', async (_way, renew) => {
    const user = await stored();
    const token = aToken();
    await slowly('insert', 'sessions', () =>
      Promise.all([
        logIn(user, token),
        setTimeout(SLOW_MS / 2).then(() => renew(user, 'new hash')),
      ]),
    );
    expect(await spend(token)).toBe('unknown');
  });

  it.each(ways)('none outlives a %s after which it began', async (_way, renew) => {
    const user = await stored();
    const token = aToken();
    await slowly('delete', 'sessions', () =>
      Promise.all([
        renew(user, 'new hash'),
        setTimeout(SLOW_MS / 2).then(() => logIn(user, token)),
      ]),
    );
    expect(await spend(token)).toBe('unknown');
  });

  it('change a password once of 10 times at the same moment', async () => {
    const user = await stored();
    const { _id, passwordHash: currentHash } = user;
    const hashes = Array.from({ length: 10 }, (_, index) => `hash ${index}`);
    const outcomes = await Promise.all(
      hashes.map((newHash, index) => {
        const { users } = index % 2 ? store : other;
        return users.changePassword({
          user: _id,
          session: newObjectId(),
          currentHash,
          newHash,
          at: at(1),
        });
      }),
    );
    const winners = hashes.filter((_, index) => outcomes[index] !== 'wrong_password');
    expect(winners).toStrictEqual([(await store.users.findById(_id))?.passwordHash]);
  });
});
