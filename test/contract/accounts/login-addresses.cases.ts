import { MAX_LOGIN_ADDRESSES } from '../../../src/auth/sessions/session.js';
import type { User } from '../../../src/auth/accounts/user.js';
import { aLogin, aSession } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { useStore } from '../use-store.js';

describe.each(engines)('addresses of logins on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const logIn = (user: User, addressHash: string, minute = 0) => {
    const session = aSession(user, { startedAt: at(minute), expiresAt: at(minute + 60) });
    return store.sessions.start(session, aLogin(user, { addressHash }));
  };

  const isKnown = (addressHash: string) => store.sessions.isKnownAddress(addressHash);

  it('are known after a login, and no others', async () => {
    const user = await stored.user();
    expect(await isKnown('one')).toBe(false);
    await logIn(user, 'one');
    await logIn(user, 'one', 1);
    expect(await isKnown('one')).toBe(true);
    expect(await isKnown('another')).toBe(false);
  });

  it('outlive the session', async () => {
    const user = await stored.user();
    await logIn(user, 'outlives');
    await store.users.resetPassword(user._id, 'new hash', at(1));
    expect(await isKnown('outlives')).toBe(true);
  });

  it(`are the ${MAX_LOGIN_ADDRESSES} that an account has used last`, async () => {
    const [user, other] = [await stored.user(), await stored.user()];
    await logIn(other, 'of another account', -1);
    for (let i = 0; i < MAX_LOGIN_ADDRESSES; i++) await logIn(user, `number ${i}`, i);
    await logIn(user, 'number 0', MAX_LOGIN_ADDRESSES);
    const before = await store.count('login_addresses');
    await logIn(user, 'one more', MAX_LOGIN_ADDRESSES + 1);
    expect(await store.count('login_addresses')).toBe(before);
    expect(await isKnown('number 1')).toBe(false);
    for (const known of ['number 0', 'number 2', 'one more', 'of another account']) {
      expect(await isKnown(known)).toBe(true);
    }
  });

  it('are all known after 20 logins at the same time', async () => {
    const user = await stored.user();
    const hashes = Array.from({ length: MAX_LOGIN_ADDRESSES }, (_, i) => `at once ${i}`);
    await Promise.all(hashes.map((hash) => logIn(user, hash)));
    expect(await Promise.all(hashes.map(isKnown))).toStrictEqual(hashes.map(() => true));
  });
});
