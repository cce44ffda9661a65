import { parseSetCookie } from 'cookie';
import { OutgoingMail } from '../../../src/mail/outgoing-mail.service.js';
import { exchange } from '../../http-exchange.js';
import { useBuiltApp } from '../built-app.js';
import { PASSWORD } from '../developer.js';
import { useDeveloper } from '../use-app.js';

const PAGE = '<meta name="base-path" content="" /><script src="./assets/index-1.js"></script>';

describe('BASE_PATH=/licenses', () => {
  const folder = useBuiltApp(PAGE);
  const env = { BASE_PATH: '/licenses', PUBLIC_URL: 'https://tools.example' };
  const [app, ada] = useDeveloper(env, { consoleFolder: folder, portalFolder: folder });
  /** Requests a path of the host. */
  const at = (target: string, headers = {}) =>
    exchange(new URL(app.url).origin, { path: target, headers });

  it('serves the API, the console, the documentation and the health below it', async () => {
    const page = await at('/licenses/console/licenses?status=ACTIVE');
    expect(page.text).toContain('content="/licenses"');
    expect(page.text).toContain('src="/licenses/console/assets/index-1.js"');
    for (const below of ['/console/assets/index-1.js', '/docs', '/docs/swagger-ui.css']) {
      expect([below, (await at(`/licenses${below}`)).status]).toEqual([below, 200]);
    }
    const { body } = await app.get('/docs-json');
    expect(body.servers).toMatchObject([{ url: '/licenses' }]);
    for (const root of ['', '/', '?a=1']) {
      const { status, headers } = await at(`/licenses${root}`);
      expect([status, headers.get('location')]).toEqual([302, '/licenses/console']);
    }
    expect((await app.get('/health/ready')).status).toBe(200);
    expect(app.log.at(-1)).toContain('"route":"/health/ready"');
    expect((await app.get('/clients', ada)).status).toBe(200);
  });

  it('404: nothing is served elsewhere, and the response says where the service is', async () => {
    for (const target of [
      ...['/', '/console', '/health/live', '/licensesx', '/Licenses/docs', '/%6cicenses/docs'],
      ...['/outside-base-path', '/licenses/outside-base-path', '//licenses/docs'],
    ]) {
      const { status, text } = await at(target);
      expect([target, status]).toEqual([target, 404]);
      expect(text).toContain('The service is served below /licenses.');
    }
    const inside = await at('/licenses/licenses-of-nobody');
    expect([inside.status, inside.text]).toEqual([404, expect.stringContaining('GET /docs')]);
  });

  it('sends the cookie of the console only to its session routes, and puts the path into links', async () => {
    const { headers } = await app.post('/console/session', {
      email: ada.email,
      password: PASSWORD,
    });
    expect(parseSetCookie(headers.getSetCookie()[0]!).path).toBe('/licenses/console/session');
    const link = app.nest.get(OutgoingMail).linkTo('join', 'token').text;
    expect(link).toBe('https://tools.example/licenses/console/join#token');
  });

  it('leaves the customer portal at the root of its own host', async () => {
    const portal = { Host: 'portal.localhost' };
    expect((await at(`/${ada._id}`, portal)).status).toBe(200);
    expect((await at(`/licenses/${ada._id}`, portal)).status).toBe(404);
    expect((await at('/licenses/console', portal)).status).toBe(404);
  });
});
