import { fetchWhole } from '../../fetch-whole.js';
import { HttpCaller, type HttpResponse } from '../../http-caller.js';
import { AppendingProxy } from '../../nginx/appending-proxy.js';
import { itWithNginx, nginx } from '../../nginx/nginx.js';
import { type LoggedInDeveloper, PASSWORD } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';
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
  'another port of the host': ({ hostname }) => ({ Origin: `http://${hostname}:1` }),
  'another scheme': ({ host }) => ({ Origin: `https://${host}` }),
  'a host that begins alike': ({ origin }) => ({ Origin: `${origin}.example.com` }),
  'another site, as Sec-Fetch-Site says': () => ({ 'Sec-Fetch-Site': 'cross-site' }),
  'no page at all': () => ({ 'Sec-Fetch-Site': 'none' }),
};

describe(`S20: requests from ${Object.keys(FOREIGN).length} kinds of other origins`, () => {
  const app = useApp({ LOGIN_LIMIT: '1', REFRESH_LIMIT: '3', CORS_ORIGINS: ADMIN });
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
    '403 for %s: nothing is done, and nothing is counted',
    async (_name, headersFor) => {
      const headers = headersFor(new URL(app.url));
      const login = (password: string) =>
        app.send('POST', '/console/session', JSON.stringify({ email: ada.email, password }), {
          headers,
        });
      for (let i = 0; i < 2; i += 1) expectRejected(await login('one more guess'));
      for (let i = 0; i < 4; i += 1) expectRejected(await browser.refresh(headers));
      expectRejected(await login(PASSWORD));
      expectRejected(await browser.logOut(headers));

      expect((await browser.refresh({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
      expect((await new Browser(app).logIn(ada)).status).toBe(200);
    },
  );

  it('403 without Origin: nothing is done', async () => {
    const headers = { Cookie: String(browser.cookie) };
    const request = { method: 'POST', headers };
    expect((await fetchWhole(`${app.url}/console/session/refresh`, request)).status).toBe(403);
    expect((await browser.refresh()).status).toBe(200);
  });
});

describe('The console behind a trusted proxy that ends TLS', () => {
  const [app, ada] = useDeveloper();

  it('has a cookie that browsers send by TLS alone, and accepts none that was set without', async () => {
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
    const browser = new Browser(app, { 'X-Forwarded-Proto': 'https' });
    const [cookie] = cookiesOf(await browser.logIn(await app.register()));

    expect(cookie).toMatchObject({ name: 'console-session' });
    expect((await browser.refresh({ Origin: PUBLIC.Origin })).status).toBe(403);
  });
});
