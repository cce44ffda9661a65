import { fetchWhole } from '../../fetch-whole.js';
import { HttpCaller, type HttpResponse } from '../../http-caller.js';
import { AppendingProxy } from '../../nginx/appending-proxy.js';
import { itWithNginx, nginx } from '../../nginx/nginx.js';
import { type LoggedInDeveloper, PASSWORD, registerDeveloper } from '../developer.js';
import { useApp } from '../use-app.js';
import { Browser, cookiesOf } from './browser.js';

const ADMIN = 'https://admin.example.com';

/** What a trusted proxy that ends TLS sends. */
const PUBLIC = {
  Host: 'licenses.example.com',
  'X-Forwarded-Proto': 'https',
  Origin: 'https://licenses.example.com',
};

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
  const app = useApp({ LOGIN_LIMIT: '1', REFRESH_LIMIT: '3', CORS_ORIGINS: ADMIN });
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
      for (let i = 0; i < 4; i += 1) expectRejected(await login('one more guess'));
      for (let i = 0; i < 4; i += 1) expectRejected(await browser.refresh(headers));
      expectRejected(await login(PASSWORD));
      expectRejected(await browser.logOut(headers));

      expect((await browser.refresh({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
      expect((await new Browser(app).logIn(ada)).status).toBe(200);
    },
  );

  it('403 without Origin and for forms of another one, which are 415 of its own: nothing is done', async () => {
    const submit = (path: string, type: string, origin?: string) =>
      fetchWhole(app.url + path, {
        method: 'POST',
        headers: {
          ...{ 'Content-Type': type, Cookie: String(browser.cookie) },
          ...(origin && { Origin: origin }),
        },
        body: JSON.stringify({ email: ada.email, password: PASSWORD }),
      });
    for (const path of ['/console/session', '/console/session/refresh']) {
      expect((await submit(path, 'application/json')).status).toBe(403);
      for (const type of [
        ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'],
      ]) {
        expect((await submit(path, type, 'https://evil.example.com')).status).toBe(403);
        const own = await submit(path, type, app.url);
        expect([own.status, own.headers.getSetCookie()]).toEqual([415, []]);
      }
    }

    expect((await browser.refresh()).status).toBe(200);
  });

  it('a preflight of an origin of CORS_ORIGINS allows no credentials', async () => {
    const { headers } = await fetchWhole(`${app.url}/console/session`, {
      method: 'OPTIONS',
      headers: { Origin: ADMIN, 'Access-Control-Request-Method': 'DELETE' },
    });

    expect(headers.get('access-control-allow-origin')).toBe(ADMIN);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('The console behind a trusted proxy that ends TLS', () => {
  const app = useApp();
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
    ['a port', 200, { Host: 'licenses.example.com:8443', Origin: `${PUBLIC.Origin}:8443` }],
    ['the default port', 200, { Host: 'licenses.example.com:443' }],
    ['X-Forwarded-Host', 200, { Host: '10.0.0.11:3000', 'X-Forwarded-Host': PUBLIC.Host }],
    ['no X-Forwarded-Proto', 403, { 'X-Forwarded-Proto': '' }],
    ['no protocol there', 403, { 'X-Forwarded-Proto': 'about', Origin: 'null' }],
    ['another host', 403, { Host: '10.0.0.11:3000' }],
    ['what is no host', 403, { Host: 'a b', Origin: 'null' }],
  ])('knows its origin by what the proxy sends: with %s %i', async (_case, status, headers) => {
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

describe('The console behind a proxy that is not trusted', () => {
  const app = useApp({ TRUSTED_PROXIES: '192.0.2.1' });

  it('ignores what that forwards', async () => {
    const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': PUBLIC.Host };
    const browser = new Browser(app, forwarded);
    const [cookie] = cookiesOf(await browser.logIn(await registerDeveloper(app)));

    expect(cookie).toMatchObject({ name: 'console-session' });
    expect(cookie).not.toHaveProperty('secure');
    expect((await browser.refresh({ Origin: PUBLIC.Origin })).status).toBe(403);
  });
});
