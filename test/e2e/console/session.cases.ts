import { AccountsService } from '../../../src/auth/accounts/accounts.service.js';
import { SessionsRepository } from '../../../src/auth/sessions/sessions.repository.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import type { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import { claimsOf, type LoggedInDeveloper, PASSWORD, registerDeveloper } from '../developer.js';
import { rateLimitOf } from '../rate-limit.js';
import { useApp } from '../use-app.js';
import { Browser, cookiesOf } from './browser.js';

const DAY = 24 * 60 * 60;

const COOKIE = {
  name: 'console-session',
  value: expect.stringMatching(/^[\w-]{44}$/),
  path: '/console/session',
  httpOnly: true,
  sameSite: 'strict',
  maxAge: 30 * DAY,
};
const CLEARED = { ...COOKIE, value: '', maxAge: 0 };
const TOKEN = { accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 };

describe.each(ENGINES)('The session of the console on %s', (engine) => {
  const app = useApp(engine);
  let ada: LoggedInDeveloper;
  let browser: Browser;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
    browser = new Browser(app);
  });

  const tokenIn = ({ cookie = '' }: Browser) => cookie.replace(/^.*=/, '');

  it('200: a login returns the account and an access token, and its refresh token in a cookie alone', async () => {
    const response = await browser.logIn(ada);

    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      message: 'Logged in successfully',
      user: (await app.get('/auth/me', ada)).body,
      ...TOKEN,
    });
    expect(cookiesOf(response)).toEqual([COOKIE]);
    expect((await app.get('/auth/me', { token: response.body.accessToken })).status).toBe(200);
  });

  it('200: a refresh returns an access token of the same session, and replaces the cookie', async () => {
    const first = await browser.logIn(ada);
    const before = browser.cookie;
    const response = await browser.refresh();

    expect(response.status).toBe(200);
    expect(response.body).toEqual({ message: 'Tokens refreshed successfully', ...TOKEN });
    expect(cookiesOf(response)).toEqual([COOKIE]);
    expect(browser.cookie).not.toBe(before);
    expect(claimsOf(response.body.accessToken).sid).toBe(claimsOf(first.body.accessToken).sid);
    expect((await browser.refresh()).status).toBe(200);
  });

  it('401: a cookie that was spent before ends its session, and no other', async () => {
    await browser.logIn(ada);
    const thief = new Browser(app);
    thief.cookie = browser.cookie;
    await browser.refresh();
    const other = new Browser(app);
    await other.logIn(ada);
    const replay = await thief.refresh();

    expect(replay.status).toBe(401);
    expect(replay.body).toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    expect(cookiesOf(replay)).toEqual([CLEARED]);
    expect((await browser.refresh()).status).toBe(401);
    expect((await other.refresh()).status).toBe(200);
  });

  it('401: the token of a cookie and that of the API are of one family', async () => {
    await browser.logIn(ada);
    const refreshToken = tokenIn(browser);
    expect((await app.post('/auth/refresh', { refreshToken })).status).toBe(200);

    expect((await browser.refresh()).status).toBe(401);
  });

  it('401: no cookie, and one that was never issued, is deleted', async () => {
    for (const cookie of [undefined, 'console-session=', 'console-session=unknown', 'other=1']) {
      browser.cookie = cookie;
      const response = await browser.refresh();

      expect(response.status).toBe(401);
      expect(cookiesOf(response)).toEqual([CLEARED]);
    }
  });

  it('401: the cookie ends 30 days after the last refresh', async () => {
    await browser.logIn(ada);
    app.clock.advance({ seconds: 30 * DAY - 1 });
    expect((await browser.refresh()).status).toBe(200);
    app.clock.advance({ seconds: 30 * DAY });

    expect((await browser.refresh()).status).toBe(401);
  });

  it('503: keeps the cookie while the store cannot be reached', async () => {
    await browser.logIn(ada);
    const rotate = jest
      .spyOn(app.nest.get(SessionsRepository, { strict: false }), 'rotate')
      .mockRejectedValueOnce(new DomainError('STORE_UNAVAILABLE'));
    const failed = await browser.refresh();
    rotate.mockRestore();

    expect(failed.status).toBe(503);
    expect(cookiesOf(failed)).toEqual([]);
    expect((await browser.refresh()).status).toBe(200);
  });

  it('204: a logout ends its session and no other, and deletes the cookie, also a second time', async () => {
    const other = new Browser(app);
    await other.logIn(ada);
    await browser.logIn(ada);
    const { cookie } = browser;
    const logout = await browser.logOut();
    const again = await browser.logOut();
    browser.cookie = cookie;

    for (const response of [logout, again]) {
      expect(response.status).toBe(204);
      expect(cookiesOf(response)).toEqual([CLEARED]);
    }
    expect((await browser.refresh()).status).toBe(401);
    expect((await other.refresh()).status).toBe(200);
  });

  it('goes on when its user changes the password, and every other session ends', async () => {
    const other = new Browser(app);
    await other.logIn(ada);
    const { body } = await browser.logIn(ada);
    const passwords = { currentPassword: PASSWORD, newPassword: 'nine loud kettles whistle' };
    await app.post('/auth/password', passwords, { token: body.accessToken });

    expect((await other.refresh()).status).toBe(401);
    expect((await browser.refresh()).status).toBe(200);
  });
});

describe.each(ENGINES)('Logging in to the console on %s', (engine) => {
  const app = useApp(engine, { LOGIN_LIMIT: '2', REFRESH_LIMIT: '3' });
  let ada: LoggedInDeveloper;
  let from: string;
  let addresses = 0;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
    from = `192.0.2.${(addresses += 1)}`;
  });

  const logIn = (path: string, credentials: unknown) => app.post(path, credentials, { from });

  it('is rejected as at POST /auth/login, and sets no cookie', async () => {
    const disabled = await registerDeveloper(app);
    await app.nest.get(AccountsService, { strict: false }).disable(disabled.email);
    for (const credentials of [
      { email: ada.email, password: 'one more guess' },
      { email: 'nobody@studio.example', password: PASSWORD },
      { email: disabled.email, password: PASSWORD },
      { email: { $gt: '' }, password: PASSWORD },
      {},
    ]) {
      from = `198.51.100.${(addresses += 1)}`;
      const [inConsole, inApi] = [
        await logIn('/console/session', credentials),
        await logIn('/auth/login', credentials),
      ];

      expect(inConsole.status).toBe(inApi.status);
      expect({ ...inConsole.body, requestId: '' }).toEqual({ ...inApi.body, requestId: '' });
      expect(cookiesOf(inConsole)).toEqual([]);
    }
  });

  it('counts its failures with those of POST /auth/login', async () => {
    const wrong = { email: ada.email, password: 'one more guess' };
    const right = { email: ada.email, password: PASSWORD };
    const first = await logIn('/console/session', wrong);
    const second = await logIn('/auth/login', wrong);
    const rejected = [await logIn('/console/session', right), await logIn('/auth/login', right)];

    expect(rateLimitOf(first)).toEqual(['2', '1', '900']);
    expect(rateLimitOf(second)).toEqual(['2', '0', '900']);
    for (const response of rejected) {
      expect(response.status).toBe(429);
      expect(response.headers.get('retry-after')).toBe('900');
    }
  });

  it('counts its refreshes and logouts with those of the API, and a 429 keeps the cookie', async () => {
    const browser = new Browser(app, { 'X-Forwarded-For': from });
    await browser.logIn(ada);
    expect((await browser.refresh()).status).toBe(200);
    await app.post('/auth/logout', { refreshToken: 'unknown' }, { from });
    expect((await browser.refresh()).status).toBe(200);

    for (const rejected of [await browser.refresh(), await browser.logOut()]) {
      expect(rejected.status).toBe(429);
      expect(cookiesOf(rejected)).toEqual([]);
    }
    app.clock.advance({ seconds: 60 });
    expect((await browser.refresh()).status).toBe(200);
  });

  it('S22: is on record as at the API: login, failure, lockout, replay and logout', async () => {
    const browser = new Browser(app, { 'X-Forwarded-For': from });
    const logged = app.log.length;
    await browser.logIn(ada, 'one more guess');
    await browser.logIn(ada);
    const { cookie } = browser;
    await browser.refresh();
    browser.cookie = cookie;
    await browser.refresh();
    app.clock.advance({ seconds: 60 });
    await browser.logIn(ada);
    await browser.logOut();
    await browser.logIn(ada, 'one more guess');

    expect(securityEventsOf(app, logged)).toEqual([
      ...['login_failed', 'login', 'refresh_token_replayed', 'login', 'logout'],
      ...['login_failed', 'lockout'],
    ]);
  });
});

const securityEventsOf = (app: TestApp, since: number) =>
  app.log
    .slice(since)
    .filter((line) => line.includes('"msg":"security"'))
    .map((line) => (JSON.parse(line) as { event: string }).event);
