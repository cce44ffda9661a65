import { aSession, aUser } from '../../../test/builders.js';
import { DEVICE, useServices } from '../../../test/services.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { DAY_MS } from '../../shared/time/calendar.js';
import { insert } from '../../storage/changes.js';
import { type User, USERS } from '../accounts/user.js';
import { NO_FACTORS } from '../factors/factors.js';
import { LoginAddresses } from './login-addresses.js';
import {
  hashRefreshToken,
  LOGIN_ADDRESSES,
  MAX_LOGIN_ADDRESSES,
  MAX_SESSIONS,
  newRefreshToken,
  REFRESH_TOKEN_LIFE,
  SESSIONS,
} from './session.js';
import { SessionsService } from './sessions.service.js';

it('a refresh token has 256 random bits, and its successors share the first half', () => {
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
  const ofEarlierVersion = 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE';
  const { familyHash } = hashRefreshToken(newRefreshToken(ofEarlierVersion));
  expect(familyHash).toBe(hashRefreshToken(ofEarlierVersion).familyHash);
});

describe('A login', () => {
  const services = useServices();
  const { store, clock, the, put, change, addAccount } = services;
  const other = useServices(services);
  let user: User;
  beforeEach(async () => {
    user = await addAccount();
  });

  const sessions = () => store.all(SESSIONS);
  const wait = (milliseconds: number) => clock.advance({ seconds: milliseconds / 1000 });
  /** Starts a session on one of two instances, and returns its first refresh token. */
  const logIn = async (by = user, address = '192.0.2.1', instance = 0) => {
    const service = [the, other.the][instance % 2]!(SessionsService);
    return (await service.start(by, { address, userAgent: null })).refreshToken;
  };
  /** Exchanges a refresh token for the next one. */
  const refresh = async (token: string) =>
    (await the(SessionsService).refresh(token, DEVICE)).refreshToken;
  const expectEnded = (token: string) =>
    expect(refresh(token)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  const isKnown = (address: string) => the(LoginAddresses).isKnown(user.email, address);

  it('accepts its refresh token until a millisecond before it expires', async () => {
    const first = await logIn();
    wait(REFRESH_TOKEN_LIFE - 1);
    const second = await refresh(first);
    wait(REFRESH_TOKEN_LIFE);
    await expectEnded(second);
    await expectEnded(first);
  });

  it('ends after 90 days, however often it is refreshed', async () => {
    let token = await logIn();
    for (let day = 29; day < 90; day += 29) {
      wait(29 * DAY_MS);
      token = await refresh(token);
    }
    wait(3 * DAY_MS - 1);
    token = await refresh(token);
    wait(1);
    await expectEnded(token);
  });

  it('S6: ends when a spent token is reused, however many generations old', async () => {
    const logged = jest.spyOn(the(SecurityLog), 'record');
    const first = await logIn();
    let latest = first;
    for (let generation = 0; generation < 50; generation++) latest = await refresh(latest);
    const [session] = sessions();
    await expectEnded(first);
    expect(sessions()).toStrictEqual([]);
    await expectEnded(latest);
    const ofSession = { account: user.account, user: user._id, session: session!._id };
    expect(logged.mock.calls).toStrictEqual([['refresh_token_replayed', ofSession]]);
  });

  it(`leaves ${MAX_SESSIONS} sessions if 10 more start on two instances at the same time`, async () => {
    const before = Array.from({ length: MAX_SESSIONS }, () => aSession(user));
    await put(...before.map((session) => insert(SESSIONS, session)));
    const addresses = Array.from({ length: MAX_LOGIN_ADDRESSES / 2 }, (_, i) => `number ${i}`);
    await logIn(await addAccount());
    await Promise.all(addresses.map((address, i) => logIn(user, address, i)));
    expect(sessions()).toHaveLength(MAX_SESSIONS + 1);
    expect(await Promise.all(addresses.map(isKnown))).toStrictEqual(addresses.map(() => true));
  });

  it('is rejected for a wrong password and for a missing account', async () => {
    const code = 'INVALID_CREDENTIALS';
    const wrong = { ...user, passwordHash: 'of another password' };
    await expect(logIn(wrong)).rejects.toMatchObject({ code });
    await expect(logIn(aUser())).rejects.toMatchObject({ code });
    expect(sessions()).toStrictEqual([]);
    expect(await isKnown('192.0.2.1')).toBe(false);
  });

  it('is rejected for a password alone if another session adds the first factor in the meantime', async () => {
    const totp = { sealedSecret: 'sealed', createdAt: clock.now(), lastStep: 0 };
    services.beforeNextCommit(() => change(USERS, user, { factors: { ...NO_FACTORS, totp } }));
    await expect(logIn()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(sessions()).toStrictEqual([]);
  });

  it(`makes its address one of the account's last ${MAX_LOGIN_ADDRESSES}, each stored as a keyed hash`, async () => {
    await logIn(await addAccount(), 'of another account');
    const addresses = Array.from({ length: MAX_LOGIN_ADDRESSES }, (_, i) => `number ${i}`);
    for (const address of [...addresses, 'number 0', 'one more']) {
      wait(1_000);
      await logIn(user, address);
    }
    expect(await isKnown('number 1')).toBe(false);
    for (const known of ['number 0', 'number 2', 'one more']) {
      expect(await isKnown(known)).toBe(true);
    }
    expect(store.all(LOGIN_ADDRESSES)).toHaveLength(MAX_LOGIN_ADDRESSES + 1);
    expect(JSON.stringify(store.all(LOGIN_ADDRESSES))).not.toMatch(/number|one more|@/);
  });
});
