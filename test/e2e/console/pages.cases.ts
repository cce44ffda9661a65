import { exchange } from '../../http-exchange.js';
import { useBuiltApp } from '../built-app.js';
import { useApp } from '../use-app.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
  "trusted-types 'none'";
const PROTECTION = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const pageWith = (services: string, imports: string) =>
  `<!doctype html><meta name="services" content="${services}" /><meta name="import" content="${imports}" /><title>Console</title>`;
/** With the settings of the deployment. */
const PAGE = pageWith('Hosting%2C%3CDomain%3E', 'off');
const SCRIPT = 'document.title = "License Management";';
const SCRIPT_NAME = 'index-Dk3xY0aB.js';
const SCRIPT_PATH = `/console/assets/${SCRIPT_NAME}`;

const useBuiltConsole = () => useBuiltApp(pageWith('', ''), SCRIPT_NAME, SCRIPT);

describe('S19: the pages of the console', () => {
  const settings = { SERVICES: 'Hosting,<Domain>', IMPORT: 'false' };
  const app = useApp(settings, { consoleFolder: useBuiltConsole() });

  it.each(['GET', 'HEAD'])('302: %s / leads to the console', async (method) => {
    const { status, headers } = await fetch(app.url, { method, redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, '/console']);
  });

  it('200: every path except assets returns the page, revalidated each time, which runs only its own files', async () => {
    for (const at of [
      ...['/console', '/console/', '/console?a=1', '/console/licenses?status=ACTIVE'],
      ...['/console/index.html', '/console/assets', '/console/.inputs', '/console/session'],
    ]) {
      const response = await exchange(app.url + at);

      expect([at, response.status, response.text]).toEqual([at, 200, PAGE]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        ...PROTECTION,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
      });
    }
  });

  it('200: an asset is cached for a year', async () => {
    const response = await exchange(app.url + SCRIPT_PATH);

    expect([response.status, response.text]).toEqual([200, SCRIPT]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...PROTECTION,
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('404: anything that is not an asset, by any path, including files outside the assets', async () => {
    for (const name of [
      ...['index-OfBefore.js', 'a/index.js', '.hidden', 'index.html', '%2e%2e/.inputs', '%00'],
      ...['../.inputs', '..%2f.inputs', '..%5c.inputs', '....//.inputs', `x/../${SCRIPT_NAME}`],
    ]) {
      // Its dots are sent unchanged.
      const response = await exchange(app.url, { path: `/console/assets/${name}` });
      expect([name, response.status]).toEqual([name, 404]);
      expect(JSON.parse(response.text)).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    }
    for (const target of ['../package.json', '%2e%2e/package.json', '..%2fpackage.json']) {
      expect((await exchange(app.url, { path: `/console/${target}` })).text).toBe(PAGE);
    }
  });

  it('are logged by route, never by path, which may contain a key', async () => {
    const key = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';
    await exchange(`${app.url}/console/${key}?key=${key}`);
    const line = String(app.log.filter((each) => each.includes('"msg":"request"')).at(-1));

    expect(JSON.parse(line)).toMatchObject({ route: '/console/*', status: 200 });
    expect(line).not.toContain(key);
  });
});

describe.each([
  ['A console that is not built', {}, '/nowhere'],
  ['CONSOLE=false', { CONSOLE: 'false' }, useBuiltConsole()],
])('%s', (name, env, consoleFolder) => {
  const app = useApp(env, { consoleFolder });

  it('404: a console that is off has no pages and no sessions; the API works, and a warning says what to do', async () => {
    for (const at of ['/console', '/console/licenses', SCRIPT_PATH]) {
      expect((await app.get(at)).body).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    }
    const isOff = name === 'CONSOLE=false';
    for (const [method, at] of [
      ['DELETE', '/console/session'],
      ['POST', '/console/session/refresh'],
    ] as const) {
      const { status } = await exchange(app.url + at, { method, headers: { Origin: app.url } });
      expect(status).toBe(isOff ? 404 : method === 'POST' ? 401 : 204);
    }
    expect((await app.get('/auth/registration')).status).toBe(200);
    const warning = /"level":40,.*The console is not built.*npm run build/;
    expect(warning.test(app.log.join(''))).toBe(!isOff);
  });
});
