import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { Store } from '../../../src/storage/store.js';
import { claimsOf, PASSWORD } from '../developer.js';
import { expectError, expectResponse } from '../expect-response.js';
import { rateLimitOf, rejectionOf } from '../rate-limit.js';
import { useApp, useDeveloper } from '../use-app.js';
import { Browser, cookiesOf } from './browser.js';

const COOKIE = {
  ...{ name: 'console-session', value: expect.stringMatching(/^[\w-]{44}$/) },
  ...{ path: '/console/session', httpOnly: true, sameSite: 'strict', maxAge: 30 * 24 * 60 * 60 },
};
const CLEARED = { ...COOKIE, value: '', maxAge: 0 };
const TOKEN = { accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 };

describe('The session of the console', () => {
  const [app, ada] = useDeveloper();
  let browser: Browser;
  beforeEach(() => (browser = new Browser(app)));

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

  it('401: a cookie that was spent ends its session, also at the API; that, an unknown one and none are deleted', async () => {
    await browser.logIn(ada);
    const { cookie = '' } = browser;
    const refreshToken = cookie.replace(/^.*=/, '');
    const latest = (await app.post('/auth/refresh', { refreshToken })).body;
    expect(latest.refreshToken).not.toBe(refreshToken);
    for (const wrong of [cookie, undefined, 'console-session=unknown', 'other=1']) {
      browser.cookie = wrong;
      const response = await browser.refresh();
      expectError(response, [401, 'INVALID_REFRESH_TOKEN']);
      expect(cookiesOf(response)).toEqual([CLEARED]);
    }
    expect((await app.post('/auth/refresh', latest)).status).toBe(401);
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

  it('204: a logout by any cookie of its session ends that and no other, and deletes the cookie, also a second time', async () => {
    const other = new Browser(app);
    for (const each of [browser, other]) await each.logIn(ada);
    const { cookie: first } = browser;
    await browser.refresh();
    const { cookie: latest } = browser;
    browser.cookie = first;
    for (const response of [await browser.logOut(), await browser.logOut()]) {
      expect([response.status, cookiesOf(response)]).toEqual([204, [CLEARED]]);
    }
    browser.cookie = latest;

    expect((await browser.refresh()).status).toBe(401);
    expect((await other.refresh()).status).toBe(200);
  });
});

describe('Logging in to the console', () => {
  const app = useApp({ LOGIN_LIMIT: '2', REFRESH_LIMIT: '3' });
  const from = '192.0.2.1';

  it('is rejected as at POST /auth/login, sets no cookie, and counts its failures with those', async () => {
    const { email } = await app.register();
    const logIn = (path: string, password: string) => app.post(path, { email, password }, { from });
    const send = (body: string) => app.send('POST', '/auth/login', body, { from });
    // Neither malformed bodies nor successes count.
    for (const body of ['{', '{}']) expect((await send(body)).status).toBe(400);
    expect((await logIn('/auth/login', PASSWORD)).status).toBe(200);
    const failures = [
      await logIn('/console/session', 'one more guess'),
      await logIn('/auth/login', 'one more guess'),
    ] as const;

    expect(failures.map(rateLimitOf)).toEqual([
      ['2', '1', '900'],
      ['2', '0', '900'],
    ]);
    expect({ ...failures[0].body, requestId: '' }).toEqual({ ...failures[1].body, requestId: '' });
    const rejected = await logIn('/console/session', PASSWORD);
    expect([failures[0].status, rejected.status]).toEqual([401, 429]);
    for (const response of [failures[0], rejected]) expect(cookiesOf(response)).toEqual([]);
    // Before the body is read.
    expect(rejectionOf(await send('{'))).toEqual([429, '2', '0', '900', '900']);
  });

  it('counts its refreshes and logouts with those of the API, and a 429 keeps the cookie', async () => {
    const browser = new Browser(app, { 'X-Forwarded-For': '192.0.2.2' });
    await browser.logIn(await app.register());
    for (let i = 0; i < 2; i++) expect((await browser.refresh()).status).toBe(200);
    await app.post('/auth/logout', { refreshToken: 'unknown' }, { from: '192.0.2.2' });

    for (const rejected of [await browser.refresh(), await browser.logOut()]) {
      expect([rejected.status, cookiesOf(rejected)]).toEqual([429, []]);
    }
    app.clock.advance({ seconds: 60 });
    expect((await browser.refresh()).status).toBe(200);
  });
});
