import { parseSetCookie } from 'cookie';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { WritableStore } from '../../../src/storage/writable-store.js';
import { HttpCaller, type HttpResponse } from '../../http-caller.js';
import { claimsOf, type Developer, type LoggedInDeveloper, PASSWORD } from '../developer.js';
import { expectError, expectResponse, rateLimitOf, rejectionOf } from '../responses.js';
import { useApp, useDeveloper } from '../use-app.js';
import { exchange } from '../../http-exchange.js';
import { AppendingProxy } from '../../nginx/appending-proxy.js';
import { itWithNginx, nginx } from '../../nginx/nginx.js';

/** The cookies a response sets, with their attributes. */
const cookiesOf = ({ headers }: HttpResponse) =>
  headers.getSetCookie().map((each) => parseSetCookie(each));

/** A console page in a browser, which keeps the cookie of its session. */
class Browser {
  /** `name=value`; undefined without a session. */
  cookie: string | undefined;

  constructor(
    private readonly app: HttpCaller,
    /** Headers of each request. */
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  logIn({ email }: Pick<Developer, 'email'>, password = PASSWORD): Promise<HttpResponse> {
    return this.send('POST', '/console/session', JSON.stringify({ email, password }));
  }

  refresh(headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> {
    return this.send('POST', '/console/session/refresh', undefined, headers);
  }

  logOut(headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> {
    return this.send('DELETE', '/console/session', undefined, headers);
  }

  async send(
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse> {
    const response = await this.app.send(method, path, body, {
      headers: { ...(this.cookie && { Cookie: this.cookie }), ...this.headers, ...headers },
    });
    for (const { name, value, maxAge } of cookiesOf(response)) {
      this.cookie = maxAge === 0 ? undefined : `${name}=${value}`;
    }
    return response;
  }
}

const COOKIE = {
  ...{ name: 'console-session', value: expect.stringMatching(/^[\w-]{44}$/) },
  ...{ path: '/console/session', httpOnly: true, sameSite: 'strict', maxAge: 30 * 24 * 60 * 60 },
};
const CLEARED = { ...COOKIE, value: '', maxAge: 0 };
const TOKEN = { accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 };

const ADMIN = 'https://admin.example.com';

/** Sent by a trusted proxy that terminates TLS. */
const PUBLIC = {
  Host: 'licenses.example.com',
  'X-Forwarded-Proto': 'https',
  Origin: 'https://licenses.example.com',
};

/** Browser headers of requests not made by a page of the service, by the service's origin. */
const FOREIGN: Record<string, (own: URL) => Record<string, string>> = {
  'another site': () => ({ Origin: 'https://evil.example.com' }),
  'an origin of CORS_ORIGINS': () => ({ Origin: ADMIN }),
  'an opaque origin': () => ({ Origin: 'null' }),
  'another port of the host': ({ hostname }) => ({ Origin: `http://${hostname}:1` }),
  'another scheme': ({ host }) => ({ Origin: `https://${host}` }),
  'a host with the same prefix': ({ origin }) => ({ Origin: `${origin}.example.com` }),
  'another site, according to Sec-Fetch-Site': () => ({ 'Sec-Fetch-Site': 'cross-site' }),
  'no page at all': () => ({ 'Sec-Fetch-Site': 'none' }),
};

describe('The session of the console', () => {
  const [app, ada] = useDeveloper();
  let browser: Browser;
  beforeEach(() => (browser = new Browser(app)));

  it('200: a login returns the account and an access token, a refresh another one, and the refresh token is only in a cookie', async () => {
    const first = await browser.logIn(ada);
    const { cookie } = browser;
    const second = await browser.refresh();
    const { accountName: _, ...user } = (await app.get('/auth/me', ada)).body;

    expectResponse(first, 200, {
      message: 'Logged in',
      user,
      ...TOKEN,
    });
    expectResponse(second, 200, { message: 'Tokens refreshed', ...TOKEN });
    for (const response of [first, second]) expect(cookiesOf(response)).toEqual([COOKIE]);
    expect(browser.cookie).not.toBe(cookie);
    const { accessToken: token } = second.body;
    expect(claimsOf(token).sid).toBe(claimsOf(first.body.accessToken).sid);
    expect((await app.get('/auth/me', { token })).status).toBe(200);
  });

  it('200: moves the session of a registration into the cookie, and the account begins with a single event', async () => {
    const account = { name: 'Grace', email: 'grace@studio.example', password: PASSWORD };
    const { refreshToken } = (await app.post('/auth/register', account)).body;
    const body = JSON.stringify({ refreshToken });
    const moved = await browser.send('POST', '/console/session/refresh', body);
    expectResponse(moved, 200, { message: 'Tokens refreshed', ...TOKEN });
    expect(cookiesOf(moved)).toEqual([COOKIE]);
    const { data } = (await app.get('/events', { token: moved.body.accessToken })).body;
    expect(data).toMatchObject([{ type: 'account.created', subject: { name: 'Grace' } }]);
    expect((await browser.refresh()).status).toBe(200);
  });

  it('401: a spent cookie ends its session, including at the API; spent, unknown and empty cookies are deleted', async () => {
    await browser.logIn(ada);
    const { cookie = '' } = browser;
    const refreshToken = cookie.replace(/^.*=/, '');
    const latest = (await app.post('/auth/refresh', { refreshToken })).body;
    expect(latest.refreshToken).not.toBe(refreshToken);
    for (const wrong of [cookie, undefined, 'console-session=unknown', 'other=1']) {
      browser.cookie = wrong;
      const response = await browser.refresh();
      expectError(response, 'INVALID_REFRESH_TOKEN');
      expect(cookiesOf(response)).toEqual([CLEARED]);
    }
    expect((await app.refresh(latest)).status).toBe(401);
  });

  it('503: keeps the cookie while the store is unreachable', async () => {
    await browser.logIn(ada);
    const commit = jest
      .spyOn(app.nest.get(WritableStore), 'commit')
      .mockRejectedValueOnce(new DomainError('STORE_UNAVAILABLE'));
    const failed = await browser.refresh();
    commit.mockRestore();

    expect([failed.status, cookiesOf(failed)]).toEqual([503, []]);
    expect((await browser.refresh()).status).toBe(200);
  });

  it('204: a logout by any cookie of a session ends only that session, and deletes the cookie, even a second time', async () => {
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

  it('uses a TLS-only cookie behind a trusted TLS proxy, and accepts no cookie set without TLS', async () => {
    const browser = new Browser(app, PUBLIC);
    const [cookie] = cookiesOf(await browser.logIn(ada));

    expect(cookie).toMatchObject({ name: '__Secure-console-session', secure: true });
    expect((await browser.refresh()).status).toBe(200);
    const [cleared] = cookiesOf(await browser.logOut());
    expect(cleared).toMatchObject({ name: '__Secure-console-session', secure: true, maxAge: 0 });
    const plain = new Browser(app);
    await plain.logIn(ada);
    expect((await plain.refresh(PUBLIC)).status).toBe(401);
  });

  it.each([
    ['a port', 200, { Host: 'licenses.example.com:8443', Origin: `${PUBLIC.Origin}:8443` }],
    ['the default port', 200, { Host: 'licenses.example.com:443' }],
    ['X-Forwarded-Host', 200, { Host: '10.0.0.11:3000', 'X-Forwarded-Host': PUBLIC.Host }],
    ['no X-Forwarded-Proto', 403, { 'X-Forwarded-Proto': '' }],
    ['no protocol there', 403, { 'X-Forwarded-Proto': 'about', Origin: 'null' }],
    ['an invalid host', 403, { Host: 'a b', Origin: 'null' }],
  ])('learns its origin from a trusted proxy: %s %i', async (_case, status, headers) => {
    const browser = new Browser(app, { ...PUBLIC, ...headers });

    expect((await browser.logIn(ada)).status).toBe(status);
  });

  itWithNginx('knows its origin, the port included, through nginx as documented', async () => {
    const proxy = await AppendingProxy.start(String(nginx), app.url);
    try {
      const browser = new Browser(new HttpCaller(proxy.url));

      expect((await browser.logIn(ada)).status).toBe(200);
      expect((await browser.refresh({ Origin: 'http://127.0.2.1' })).status).toBe(403);
      expect((await browser.refresh()).status).toBe(200);
    } finally {
      await proxy.stop();
    }
  });
});

describe('Logging in to the console', () => {
  const app = useApp({ GUESS_LIMIT: '2' });
  const from = '192.0.2.1';

  it('is rejected like POST /auth/login, sets no cookie, and shares its failure count', async () => {
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
    // Rejected before the body is validated.
    expect(rejectionOf(await send('{}'))).toEqual([429, '2', '0', '900', '900']);
  });
});

describe(`S20: requests from ${Object.keys(FOREIGN).length} kinds of other origins`, () => {
  const app = useApp({ GUESS_LIMIT: '1', ADDRESS_LIMIT: '3', CORS_ORIGINS: ADMIN });
  let ada: LoggedInDeveloper;
  let browser: Browser;

  beforeEach(async () => {
    ada = await app.register();
    browser = new Browser(app);
    await browser.logIn(ada);
    app.clock.advance({ seconds: 60 });
  });

  const expectRejected = (response: HttpResponse) => {
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 'CROSS_ORIGIN_REQUEST' });
    expect(cookiesOf(response)).toEqual([]);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
  };

  it.each(Object.entries(FOREIGN))(
    '403 for %s: does nothing, and counts nothing',
    async (_name, headersFor) => {
      const headers = headersFor(new URL(app.url));
      const login = (password: string) =>
        app.send('POST', '/console/session', JSON.stringify({ email: ada.email, password }), {
          headers,
        });
      for (let i = 0; i < 2; i += 1) expectRejected(await login('one more guess'));
      for (let i = 0; i < 4; i += 1) expectRejected(await browser.refresh(headers));
      expectRejected(await login(PASSWORD));
      // Signing a visitor in to another account, with a challenge of that one.
      for (const step of ['factor', 'passkey/options', 'passkey']) {
        expectRejected(await app.send('POST', `/console/session/${step}`, '{}', { headers }));
      }
      expectRejected(await browser.logOut(headers));

      expect((await browser.refresh({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
      expect((await new Browser(app).logIn(ada)).status).toBe(200);
    },
  );

  it('403 without Origin: does nothing', async () => {
    const headers = { Cookie: String(browser.cookie) };
    const request = { method: 'POST', headers };
    expect((await exchange(`${app.url}/console/session/refresh`, request)).status).toBe(403);
    expect((await browser.refresh()).status).toBe(200);
  });
});

describe('The console behind a proxy that is not trusted', () => {
  const app = useApp({ TRUSTED_PROXIES: '192.0.2.1' });

  it('ignores forwarded headers', async () => {
    const browser = new Browser(app, { 'X-Forwarded-Proto': 'https' });
    const [cookie] = cookiesOf(await browser.logIn(await app.register()));

    expect(cookie).toMatchObject({ name: 'console-session' });
    expect((await browser.refresh({ Origin: PUBLIC.Origin })).status).toBe(403);
  });
});
