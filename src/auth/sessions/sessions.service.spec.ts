import { AccountServices } from '../../../test/account-services.js';
import { aSession } from '../../../test/builders/session.builder.js';
import { aUser } from '../../../test/builders/user.builder.js';
import { insert } from '../../storage/changes.js';
import type { User } from '../accounts/user.js';
import { hashRefreshToken, REFRESH_TOKEN_LIFE } from './refresh-token.js';
import { MAX_SESSIONS, SESSION_LIFE, SESSIONS } from './session.js';

const NEW_PASSWORD = 'nine loud kettles whistle';

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

  it('spends a token for the next one, and stores hashes of the latest alone', async () => {
    const first = await services.logIn(user);
    const [session] = all();
    wait(1_000);
    const second = (await refresh(first))!;
    const expiresAt = new Date(services.clock.now().getTime() + REFRESH_TOKEN_LIFE);
    const version = expect.any(Number) as number;
    expect(all()).toStrictEqual([{ ...session, ...hashRefreshToken(second), expiresAt, version }]);
    expect(await refresh(second)).toBeDefined();
  });

  it('accepts a token until a millisecond before its expiry', async () => {
    const first = await services.logIn(user);
    wait(REFRESH_TOKEN_LIFE - 1);
    const second = (await refresh(first))!;
    wait(REFRESH_TOKEN_LIFE);
    expect(await refresh(second)).toBeUndefined();
    expect(await refresh(first)).toBeUndefined();
  });

  it('prolongs no session beyond its maximum lifetime, however often it is refreshed', async () => {
    let token: string | undefined = await services.logIn(user);
    const step = REFRESH_TOKEN_LIFE - 1;
    for (let age = step; age < SESSION_LIFE; age += step) {
      wait(step);
      token = await refresh(token!);
    }
    const { startedAt, expiresAt } = all()[0]!;
    expect(expiresAt.getTime() - startedAt.getTime()).toBe(SESSION_LIFE);
    services.clock.set(expiresAt.toISOString());
    expect(await refresh(token!)).toBeUndefined();
  });

  it.each([1, 2, 50])(
    'S6: ends the session whose token, spent %i generations ago, is used again',
    async (generations) => {
      const first = await services.logIn(user);
      let latest = first;
      for (let i = 0; i < generations; i++) latest = (await refresh(latest))!;
      const session = all()[0]!._id;
      expect(await refresh(first)).toBeUndefined();
      const replay = ['refresh_token_replayed', { account: user._id, session }];
      expect(services.logged).toStrictEqual([replay]);
      expect(all()).toStrictEqual([]);
      expect(await refresh(latest)).toBeUndefined();
      expect(services.logged).toStrictEqual([replay]);
    },
  );

  it('S6: gives a new token to at most one of 50 simultaneous uses on two instances, and ends the session', async () => {
    const first = await services.logIn(user);
    const instances = [services, services.another()];
    const uses = Array.from({ length: 50 }, (_, index) => instances[index % 2]!.refresh(first));
    const successors = (await Promise.all(uses)).filter((token) => token !== undefined);
    expect(successors).toHaveLength(1);
    expect(await refresh(successors[0]!)).toBeUndefined();
    expect(all()).toStrictEqual([]);
  });

  it('affects no other session of the account', async () => {
    const [desk, phone] = [await services.logIn(user), await services.logIn(user)];
    await refresh(desk);
    expect(await refresh(desk)).toBeUndefined();
    expect(await refresh(phone)).toBeDefined();
  });

  it('rejects an unknown token', async () => {
    await services.logIn(user);
    expect(await refresh('x'.repeat(44))).toBeUndefined();
    expect(all()).toHaveLength(1);
  });

  describe('the end of a session', () => {
    it.each(['spent', 'unspent'])('is reached by any of its tokens: %s', async (kind) => {
      const first = await services.logIn(user);
      const other = await services.logIn(user);
      const latest = (await refresh(first))!;
      const token = kind === 'spent' ? first : latest;
      await services.sessions.end(token);
      await services.sessions.end(token);
      expect(services.logged.map(([event]) => event)).toStrictEqual(['logout']);
      expect(await refresh(latest)).toBeUndefined();
      expect(await refresh(other)).toBeDefined();
    });

    it('is final where it is prolonged at the same time', async () => {
      const first = await services.logIn(user);
      let second: string | undefined;
      services.beforeNextCommit(async () => (second = await services.another().refresh(first)));
      await services.sessions.end(first);
      expect(second).toBeDefined();
      expect(all()).toStrictEqual([]);
    });

    it('is nothing for an unknown token', async () => {
      await services.logIn(user);
      await services.sessions.end('x'.repeat(44));
      expect([all().length, services.logged]).toStrictEqual([1, []]);
    });
  });

  describe('the start of a session', () => {
    it('leaves the account as it is', async () => {
      await services.logIn(user);
      expect(await services.stored(user)).toStrictEqual({
        ...user,
        version: expect.any(Number) as number,
      });
    });

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

    it('tells that the account is disabled by its right password alone', async () => {
      await services.accounts.disable(user.email);
      await expect(services.logIn(user)).rejects.toMatchObject({ code: 'ACCOUNT_DISABLED' });
      const wrong = services.logIn({ ...user, passwordHash: 'of another password' });
      await expect(wrong).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
      expect(all()).toStrictEqual([]);
    });

    it.each<[string, string, (other: AccountServices) => Promise<unknown>]>([
      [
        'a reset of the password',
        'INVALID_CREDENTIALS',
        ({ accounts }) => accounts.resetPassword(user.email, NEW_PASSWORD),
      ],
      [
        'a change of the password',
        'INVALID_CREDENTIALS',
        ({ accounts }) => accounts.changePassword(user, NEW_PASSWORD, aSession(user)._id),
      ],
      ['disabling', 'ACCOUNT_DISABLED', ({ accounts }) => accounts.disable(user.email)],
    ])('is rejected after %s by another instance meanwhile', async (_way, code, change) => {
      services.beforeNextCommit(() => change(services.another()));
      await expect(services.logIn(user)).rejects.toMatchObject({ code });
      expect(all()).toStrictEqual([]);
    });
  });
});
