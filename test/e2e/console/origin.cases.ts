import { fetchWhole } from '../../fetch-whole.js';
import { HttpCaller, type HttpResponse } from '../../http-caller.js';
import { AppendingProxy } from '../../nginx/appending-proxy.js';
import { itWithNginx, nginx } from '../../nginx/nginx.js';
import { type LoggedInDeveloper, PASSWORD, registerDeveloper } from '../developer.js';
import { useApp } from '../use-app.js';
import { Browser, cookiesOf } from './browser.js';

const ADMIN = 'https://admin.example.com';

/** What a browser sends with requests that no page of the service has made, by the origin of the service. */
const FOREIGN: Record<string, (own: URL) => Record<string, string>> = {
  'another site': () => ({ Origin: 'https://evil.example.com' }),
  'an origin of CORS_ORIGINS': () => ({ Origin: ADMIN }),
  'an opaque origin': () => ({ Origin: 'null' }),
  'an empty origin': () => ({ Origin: '' }),
  'another port of the host': ({ hostname }) => ({ Origin: `http://${hostname}:1` }),
  'the host without its port': ({ hostname }) => ({ Origin: `http://${hostname}` }),
  'another scheme': ({ host }) => ({ Origin: `https://${host}` }),
  'another name of the machine': ({ port }) => ({ Origin: `http://localhost:${port}` }),
  'a host that begins alike': ({ origin }) => ({ Origin: `${origin}.example.com` }),
  'two origins': ({ origin }) => ({ Origin: `${origin} ${origin}` }),
  'another site, as Sec-Fetch-Site says': () => ({ 'Sec-Fetch-Site': 'cross-site' }),
  'the same site, but another origin': () => ({ 'Sec-Fetch-Site': 'same-site' }),
  'no page at all': () => ({ 'Sec-Fetch-Site': 'none' }),
};

describe(`S20: requests from ${Object.keys(FOREIGN).length} kinds of other origins`, () => {
  const app = useApp('SQLite', { LOGIN_LIMIT: '1', REFRESH_LIMIT: '3', CORS_ORIGINS: ADMIN });
  let ada: LoggedInDeveloper;
  let browser: Browser;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
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
    '403 for %s: nothing is done, and nothing is counted',
    async (_name, headersFor) => {
      const headers = headersFor(new URL(app.url));
      const login = (password: string) =>
        app.send('POST', '/console/session', JSON.stringify({ email: ada.email, password }), {
          headers,
        });
      for (let i = 0; i < 5; i += 1) {
        expectRejected(await login('one more guess'));
        expectRejected(await login(PASSWORD));
        expectRejected(await browser.refresh(headers));
        expectRejected(await browser.logOut(headers));
      }

      expect((await browser.refresh()).status).toBe(200);
      expect((await new Browser(app).logIn(ada)).status).toBe(200);
    },
  );

  it('403 without Origin: nothing is done', async () => {
    for (const [method, path] of [
      ['POST', '/console/session'],
      ['POST', '/console/session/refresh'],
      ['DELETE', '/console/session'],
    ] as const) {
      const { status, headers } = await fetchWhole(app.url + path, {
        method,
        headers: { 'Content-Type': 'application/json', Cookie: String(browser.cookie) },
        ...(path === '/console/session' && { body: '{}' }),
      });
      expect([status, headers.getSetCookie()]).toEqual([403, []]);
    }

    expect((await browser.refresh()).status).toBe(200);
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])(
    '403, and of its own origin 415, for a form of %s',
    async (type) => {
      const submit = (path: string, origin: string) =>
        fetchWhole(app.url + path, {
          method: 'POST',
          headers: { 'Content-Type': type, Origin: origin, Cookie: String(browser.cookie) },
          body: JSON.stringify({ email: ada.email, password: PASSWORD }),
        });
      for (const path of ['/console/session', '/console/session/refresh']) {
        expect((await submit(path, 'https://evil.example.com')).status).toBe(403);
        const own = await submit(path, app.url);
        expect(own.status).toBe(415);
        expect(own.headers.getSetCookie()).toEqual([]);
      }

      expect((await browser.refresh()).status).toBe(200);
    },
  );

  it('a preflight of an origin of CORS_ORIGINS allows no credentials', async () => {
    const { headers } = await fetchWhole(`${app.url}/console/session`, {
      method: 'OPTIONS',
      headers: { Origin: ADMIN, 'Access-Control-Request-Method': 'DELETE' },
    });

    expect(headers.get('access-control-allow-origin')).toBe(ADMIN);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('200 for its own origin, with and without Sec-Fetch-Site', async () => {
    expect((await browser.refresh({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
    expect((await browser.refresh()).status).toBe(200);
  });
});

describe('The console behind a trusted proxy that ends TLS', () => {
  const app = useApp('SQLite');
  const PUBLIC = {
    Host: 'licenses.example.com',
    'X-Forwarded-Proto': 'https',
    Origin: 'https://licenses.example.com',
  };
  let ada: LoggedInDeveloper;

  beforeAll(async () => {
    ada = await registerDeveloper(app);
  });

  it('has a cookie that browsers send by TLS alone', async () => {
    const browser = new Browser(app, PUBLIC);
    const [cookie] = cookiesOf(await browser.logIn(ada));

    expect(cookie).toMatchObject({ name: '__Secure-console-session', secure: true });
    expect((await browser.refresh()).status).toBe(200);
    const [cleared] = cookiesOf(await browser.logOut());
    expect(cleared).toMatchObject({ name: '__Secure-console-session', secure: true, maxAge: 0 });
  });

  it('does not accept a cookie that was set without TLS', async () => {
    const browser = new Browser(app);
    await browser.logIn(ada);

    expect((await browser.refresh(PUBLIC)).status).toBe(401);
  });

  it.each([
    ['a port', { Host: 'licenses.example.com:8443', Origin: 'https://licenses.example.com:8443' }],
    ['the default port', { Host: 'licenses.example.com:443' }],
    ['X-Forwarded-Host', { Host: '10.0.0.11:3000', 'X-Forwarded-Host': 'licenses.example.com' }],
  ])('knows its origin with %s', async (_case, headers) => {
    const browser = new Browser(app, { ...PUBLIC, ...headers });

    expect((await browser.logIn(ada)).status).toBe(200);
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

  it.each([
    ['that does not send X-Forwarded-Proto', { 'X-Forwarded-Proto': '' }],
    ['that sends no protocol there', { 'X-Forwarded-Proto': 'about', Origin: 'null' }],
    ['that sends another host', { Host: '10.0.0.11:3000' }],
    ['whose host is no host', { Host: 'a b', Origin: 'null' }],
  ])('403 by a proxy %s', async (_case, headers) => {
    const browser = new Browser(app, { ...PUBLIC, ...headers });

    expect((await browser.logIn(ada)).status).toBe(403);
  });
});

describe.each(['', '192.0.2.1'])('The console with TRUSTED_PROXIES=%s', (proxies) => {
  const app = useApp('SQLite', { TRUSTED_PROXIES: proxies });

  it('ignores what an untrusted address forwards', async () => {
    const ada = await registerDeveloper(app);
    const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'licenses.example.com' };
    const browser = new Browser(app, forwarded);
    const [cookie] = cookiesOf(await browser.logIn(ada));

    expect(cookie).toMatchObject({ name: 'console-session' });
    expect(cookie).not.toHaveProperty('secure');
    const foreign = await browser.refresh({ Origin: 'https://licenses.example.com' });
    expect(foreign.status).toBe(403);
  });
});
