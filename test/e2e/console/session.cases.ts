import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { Store } from '../../../src/storage/store.js';
import { claimsOf, type LoggedInDeveloper, PASSWORD, registerDeveloper } from '../developer.js';
import { expectError, expectResponse } from '../expect-response.js';
import { rateLimitOf } from '../rate-limit.js';
import { useApp } from '../use-app.js';
import { Browser, cookiesOf } from './browser.js';

const DAY = 24 * 60 * 60;

const COOKIE = {
  ...{ name: 'console-session', value: expect.stringMatching(/^[\w-]{44}$/) },
  ...{ path: '/console/session', httpOnly: true, sameSite: 'strict', maxAge: 30 * DAY },
};
const CLEARED = { ...COOKIE, value: '', maxAge: 0 };
const TOKEN = { accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 };

describe('The session of the console', () => {
  const app = useApp();
  let ada: LoggedInDeveloper;
  let browser: Browser;
  /** Another session of hers. */
  let other: Browser;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
    [browser, other] = [new Browser(app), new Browser(app)];
    await other.logIn(ada);
  });

  it('200: a login returns the account and an access token, a refresh another one, and the refresh token is in a cookie alone', async () => {
    const first = await browser.logIn(ada);
    const { cookie } = browser;
    const second = await browser.refresh();

    expectResponse(first, 200, {
      message: 'Logged in successfully',
      user: (await app.get('/auth/me', ada)).body,
      ...TOKEN,
    });
    expectResponse(second, 200, { message: 'Tokens refreshed successfully', ...TOKEN });
    for (const response of [first, second]) expect(cookiesOf(response)).toEqual([COOKIE]);
    expect(browser.cookie).not.toBe(cookie);
    const { accessToken: token } = second.body;
    expect(claimsOf(token).sid).toBe(claimsOf(first.body.accessToken).sid);
    expect((await app.get('/auth/me', { token })).status).toBe(200);
  });

  it.each(['the console', 'the API'])(
    '401: a cookie that was spent before ends its session, and no other: at %s',
    async (place) => {
      await browser.logIn(ada);
      const { cookie = '' } = browser;
      const refreshToken = cookie.replace(/^.*=/, '');
      if (place === 'the console') await browser.refresh();
      else expect((await app.post('/auth/refresh', { refreshToken })).status).toBe(200);
      const latest = browser.cookie;
      browser.cookie = cookie;
      const replay = await browser.refresh();

      expectError(replay, [401, 'INVALID_REFRESH_TOKEN']);
      expect(cookiesOf(replay)).toEqual([CLEARED]);
      browser.cookie = latest;
      expect((await browser.refresh()).status).toBe(401);
      expect((await other.refresh()).status).toBe(200);
    },
  );

  it('401: no cookie, and one that was never issued, is deleted', async () => {
    for (const cookie of [undefined, 'console-session=', 'console-session=unknown', 'other=1']) {
      browser.cookie = cookie;
      const response = await browser.refresh();

      expect([response.status, cookiesOf(response)]).toEqual([401, [CLEARED]]);
    }
  });

  it('503: keeps the cookie while the store cannot be reached', async () => {
    await browser.logIn(ada);
    const commit = jest
      .spyOn(app.nest.get(Store), 'commit')
      .mockRejectedValueOnce(new DomainError('STORE_UNAVAILABLE'));
    const failed = await browser.refresh();
    commit.mockRestore();

    expect([failed.status, cookiesOf(failed)]).toEqual([503, []]);
    expect((await browser.refresh()).status).toBe(200);
  });

  it('204: a logout ends its session and no other, and deletes the cookie, also a second time', async () => {
    await browser.logIn(ada);
    const { cookie } = browser;
    for (const response of [await browser.logOut(), await browser.logOut()]) {
      expect([response.status, cookiesOf(response)]).toEqual([204, [CLEARED]]);
    }
    browser.cookie = cookie;

    expect((await browser.refresh()).status).toBe(401);
    expect((await other.refresh()).status).toBe(200);
  });
});

describe('Logging in to the console', () => {
  const app = useApp({ LOGIN_LIMIT: '2', REFRESH_LIMIT: '3' });
  let ada: LoggedInDeveloper;
  let from: string;
  let addresses = 0;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
    from = `192.0.2.${(addresses += 1)}`;
  });

  it('is rejected as at POST /auth/login, sets no cookie, and counts its failures with those', async () => {
    const credentials = { email: ada.email, password: 'one more guess' };
    const failures = [
      await app.post('/console/session', credentials, { from }),
      await app.post('/auth/login', credentials, { from }),
    ] as const;

    expect(failures.map(rateLimitOf)).toEqual([
      ['2', '1', '900'],
      ['2', '0', '900'],
    ]);
    expect(failures[0].status).toBe(401);
    expect({ ...failures[0].body, requestId: '' }).toEqual({ ...failures[1].body, requestId: '' });
    const rejected = await app.post(
      '/console/session',
      { ...credentials, password: PASSWORD },
      { from },
    );
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '900']);
    for (const response of [failures[0], rejected]) expect(cookiesOf(response)).toEqual([]);
  });

  it('counts its refreshes and logouts with those of the API, and a 429 keeps the cookie', async () => {
    const browser = new Browser(app, { 'X-Forwarded-For': from });
    await browser.logIn(ada);
    expect((await browser.refresh()).status).toBe(200);
    await app.post('/auth/logout', { refreshToken: 'unknown' }, { from });
    expect((await browser.refresh()).status).toBe(200);

    for (const rejected of [await browser.refresh(), await browser.logOut()]) {
      expect([rejected.status, cookiesOf(rejected)]).toEqual([429, []]);
    }
    app.clock.advance({ seconds: 60 });
    expect((await browser.refresh()).status).toBe(200);
  });
});
