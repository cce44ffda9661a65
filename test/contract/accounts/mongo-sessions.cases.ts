import { setTimeout } from 'node:timers/promises';
import type { RefreshTokenHashes } from '../../../src/auth/sessions/session.js';
import type { User } from '../../../src/auth/accounts/user.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { aLogin, aSession, aToken } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { timesInScope } from '../../scope.js';
import { describeOnMongo } from '../../engines.js';
import { useInstances } from '../use-instances.js';

const SLOW_MS = 150;

describeOnMongo('sessions and passwords on several instances with one MongoDB', () => {
  const { store, other, stored, callEach } = useInstances(2);

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

  /** Does the work while the first such command on the sessions is slow. */
  const whileSlow = (command: string, work: () => Promise<unknown>) => {
    const slow = { blockConnection: true, blockTimeMS: SLOW_MS };
    const namespace = `${new URL(store.uri).pathname.slice(1)}.sessions`;
    return store.whileInjecting({ failCommands: [command], namespace, ...slow }, work, 1);
  };

  const disableElsewhere = ({ email }: User) => other.users.disable(email, at(1));

  const WAYS: [string, (user: User, newHash: string) => Promise<unknown>][] = [
    ['change', changeElsewhere],
    ['reset', resetElsewhere],
    ['disabling', disableElsewhere],
  ];

  it.each(WAYS)('do not outlive a %s by another instance at the same time', async (_way, renew) => {
    for (let round = 0; round < timesInScope(50); round++) {
      const user = await stored.user();
      const token = aToken();
      await Promise.all([
        setTimeout(round % 5).then(() => logIn(user, token)),
        setTimeout(round % 3).then(() => renew(user, 'new hash')),
      ]);
      expect(await spend(token)).toBe('unknown');
    }
  });

  it.each(WAYS)('do not outlive a %s that begins while they start', async (_way, renew) => {
    const user = await stored.user();
    const token = aToken();
    await whileSlow('insert', () =>
      Promise.all([
        logIn(user, token),
        setTimeout(SLOW_MS / 2).then(() => renew(user, 'new hash')),
      ]),
    );
    expect(await spend(token)).toBe('unknown');
  });

  it.each(WAYS)('do not outlive a %s that has begun when they start', async (_way, renew) => {
    const user = await stored.user();
    const token = aToken();
    await whileSlow('delete', () =>
      Promise.all([
        renew(user, 'new hash'),
        setTimeout(SLOW_MS / 2).then(() => logIn(user, token)),
      ]),
    );
    expect(await spend(token)).toBe('unknown');
  });

  it('allow one of 10 changes of a password at the same time', async () => {
    const user = await stored.user();
    const { _id, passwordHash: currentHash } = user;
    const hashes = Array.from({ length: 10 }, (_, index) => `hash ${index}`);
    const change = { user: _id, session: newObjectId(), currentHash, at: at(1) };
    const outcomes = await Promise.all(
      callEach(10, ({ users }, index) =>
        users.changePassword({ ...change, newHash: hashes[index]! }),
      ),
    );
    const winners = hashes.filter((_, index) => outcomes[index] !== 'wrong_password');
    expect(winners).toStrictEqual([(await store.users.findById(_id))?.passwordHash]);
  });
});
