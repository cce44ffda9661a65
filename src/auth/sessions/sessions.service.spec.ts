import { AccountServices } from '../../../test/account-services.js';
import { aSession } from '../../../test/builders/session.builder.js';
import { aUser } from '../../../test/builders/user.builder.js';
import { DAY_MS } from '../../shared/time/days.js';
import { insert } from '../../storage/changes.js';
import { ExpirySweep } from '../../storage/sqlite/expiry-sweep.js';
import type { User } from '../accounts/user.js';
import { hashRefreshToken, newRefreshToken, REFRESH_TOKEN_LIFE } from './refresh-token.js';
import { LOGIN_ADDRESSES, MAX_LOGIN_ADDRESSES, MAX_SESSIONS, SESSIONS } from './session.js';

describe('a refresh token', () => {
  it('has 256 random bits, of which its successors share the first half', () => {
    const first = newRefreshToken();
    const second = newRefreshToken(first);
    const third = newRefreshToken(second);

    for (const token of [first, second, third]) {
      expect(token).toMatch(/^[\w-]{44}$/);
      expect(token.slice(0, 22)).toBe(first.slice(0, 22));
    }
    const own = [first, second, third, newRefreshToken()].map((token) => token.slice(22));
    expect(new Set(own).size).toBe(4);
    expect(newRefreshToken().slice(0, 22)).not.toBe(first.slice(0, 22));
  });

  it('starts a family as the successor of a token of an earlier version', () => {
    const earlier = 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE';
    const next = newRefreshToken(earlier);

    expect(hashRefreshToken(next).familyHash).toBe(hashRefreshToken(earlier).familyHash);
  });
});

describe('SessionsService', () => {
  let services: AccountServices;
  let user: User;
  beforeEach(async () => {
    services = new AccountServices();
    user = await services.account();
  });

  const all = () => services.store.all(SESSIONS);
  const wait = (milliseconds: number) => services.clock.advance({ seconds: milliseconds / 1000 });
  const refresh = (token: string) => services.refresh(token);

  it('accepts a token until a millisecond before its expiry', async () => {
    const first = await services.logIn(user);
    wait(REFRESH_TOKEN_LIFE - 1);
    const second = (await refresh(first))!;
    wait(REFRESH_TOKEN_LIFE);
    expect(await refresh(second)).toBeUndefined();
    expect(await refresh(first)).toBeUndefined();
  });

  it('ends 90 days after its login, however often it is refreshed', async () => {
    let token = await services.logIn(user);
    for (let day = 29; day < 90; day += 29) {
      wait(29 * DAY_MS);
      token = (await refresh(token))!;
    }
    wait(3 * DAY_MS - 1);
    token = (await refresh(token))!;
    expect(token).toBeDefined();
    wait(1);
    expect(await refresh(token)).toBeUndefined();
  });

  it('is removed from the store once it has expired', async () => {
    await services.logIn(user);
    const sweep = new ExpirySweep([SESSIONS], services.store, services.clock);
    wait(REFRESH_TOKEN_LIFE);
    await sweep.step();
    expect(all()).toHaveLength(1);
    wait(1);
    await sweep.step();
    expect(all()).toStrictEqual([]);
  });

  it.each([1, 2, 50])(
    'S6: ends the session whose token, spent %i generations ago, is used again',
    async (generations) => {
      const first = await services.logIn(user);
      let latest = first;
      for (let i = 0; i < generations; i++) latest = (await refresh(latest))!;
      const session = all()[0]!._id;
      expect(await refresh(first)).toBeUndefined();
      const replay = ['refresh_token_replayed', { account: user.account, user: user._id, session }];
      expect(services.logged).toStrictEqual([replay]);
      expect(all()).toStrictEqual([]);
      expect(await refresh(latest)).toBeUndefined();
      expect(services.logged).toStrictEqual([replay]);
    },
  );

  describe('the start of a session', () => {
    it(`ends the session that expires first where there are ${MAX_SESSIONS}`, async () => {
      const now = services.clock.now().getTime();
      const sessions = Array.from({ length: MAX_SESSIONS }, (_, index) =>
        aSession(user, { expiresAt: new Date(now + index + 1_000) }),
      );
      await services.store.commit(sessions.map((session) => insert(SESSIONS, session)));
      const other = await services.account();
      await services.logIn(other);
      const token = await services.logIn(user);
      const left = new Set(all().map(({ _id }) => _id));
      expect(left.size).toBe(MAX_SESSIONS + 1);
      expect(left.has(sessions[0]!._id)).toBe(false);
      expect(await refresh(token)).toBeDefined();
    });

    it(`leaves ${MAX_SESSIONS} where 10 more start on two instances at the same time`, async () => {
      const sessions = Array.from({ length: MAX_SESSIONS }, () => aSession(user));
      await services.store.commit(sessions.map((session) => insert(SESSIONS, session)));
      const instances = [services, services.another()];
      await Promise.all(
        Array.from({ length: 10 }, (_, index) => instances[index % 2]!.logIn(user)),
      );
      expect(all()).toHaveLength(MAX_SESSIONS);
    });

    it('is rejected by a wrong password, and for a missing account', async () => {
      const code = 'INVALID_CREDENTIALS';
      const wrong = { ...user, passwordHash: 'of another password' };
      await expect(services.logIn(wrong)).rejects.toMatchObject({ code });
      await expect(services.logIn(aUser())).rejects.toMatchObject({ code });
      expect(all()).toStrictEqual([]);
      expect(await services.addresses.isKnown(user.email, '192.0.2.1')).toBe(false);
    });
  });
});

describe('the addresses of logins', () => {
  let services: AccountServices;
  let user: User;
  beforeEach(async () => {
    services = new AccountServices();
    user = await services.account();
  });

  const isKnown = (address: string) => services.addresses.isKnown(user.email, address);
  const logIn = async (address: string) => {
    services.clock.advance({ seconds: 1 });
    await services.logIn(user, address);
  };

  it('are stored as keyed hashes', async () => {
    await logIn('192.0.2.7');
    const stored = JSON.stringify(services.store.all(LOGIN_ADDRESSES));
    expect(stored).not.toContain('192.0.2.7');
    expect(stored).not.toContain(user.email);
  });

  it(`are the ${MAX_LOGIN_ADDRESSES} that an account has used last`, async () => {
    const other = await services.account();
    await services.logIn(other, 'of another account');
    for (let i = 0; i < MAX_LOGIN_ADDRESSES; i++) await logIn(`number ${i}`);
    await logIn('number 0');
    await logIn('one more');
    expect(await isKnown('number 1')).toBe(false);
    for (const known of ['number 0', 'number 2', 'one more']) {
      expect(await isKnown(known)).toBe(true);
    }
    expect(services.store.all(LOGIN_ADDRESSES)).toHaveLength(MAX_LOGIN_ADDRESSES + 1);
  });

  it('are all known after logins on two instances at the same time', async () => {
    const instances = [services, services.another()];
    const addresses = Array.from({ length: MAX_LOGIN_ADDRESSES / 2 }, (_, i) => `number ${i}`);
    await Promise.all(addresses.map((address, i) => instances[i % 2]!.logIn(user, address)));
    expect(await Promise.all(addresses.map(isKnown))).toStrictEqual(addresses.map(() => true));
  });
});
