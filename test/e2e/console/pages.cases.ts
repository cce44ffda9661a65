import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestApp } from '../../app.js';
import { fetchWhole } from '../../fetch-whole.js';
import { useApp } from '../use-app.js';
import { ASSETS, PAGE, useBuiltConsole } from './built-console.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
  "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
  "trusted-types 'none'";

const [[SCRIPT_NAME, SCRIPT] = ['', '']] = Object.entries(ASSETS);
const SCRIPT_PATH = `/console/assets/${SCRIPT_NAME}`;

/** Sends a path as it is: `fetch` would resolve its dots. */
async function getRaw(app: TestApp, target: string) {
  const { hostname, port } = new URL(app.url);
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get({ hostname, port, path: target }, resolve).on('error', reject);
  });
  return { status: response.statusCode, text: await text(response) };
}

describe('The pages of the console', () => {
  const folder = useBuiltConsole();
  const app = useApp('SQLite', {}, { consoleFolder: folder });

  it.each([
    ...['/console', '/console/', '/console?a=1', '/console/licenses?status=ACTIVE', '/console/a/b'],
    ...['/console/index.html', '/console/assets', '/console/.inputs', '/console/session'],
  ])('200: %s is the page, asked for anew each time, that runs its own files alone', async (at) => {
    const { status, headers, text } = await fetchWhole(app.url + at);

    expect(status).toBe(200);
    expect(text).toBe(PAGE);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': POLICY,
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it.each([
    [SCRIPT_NAME, 'application/javascript; charset=utf-8'],
    ['index-B7qLw2cD.css', 'text/css; charset=utf-8'],
  ])('200: %s is cached for a year', async (name, type) => {
    const { status, headers, text } = await fetchWhole(`${app.url}/console/assets/${name}`);

    expect(status).toBe(200);
    expect(text).toBe(ASSETS[name as keyof typeof ASSETS]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
    });
  });

  it('200: HEAD has the headers of GET', async () => {
    for (const at of ['/console/licenses', SCRIPT_PATH]) {
      const [head, get] = [
        await fetchWhole(app.url + at, { method: 'HEAD' }),
        await fetchWhole(app.url + at),
      ];
      const headersOf = ({ headers }: typeof get) =>
        [...headers].filter(([name]) => !/^(x-request-id|date|connection|keep-alive)$/.test(name));

      expect([head.status, head.text]).toEqual([200, '']);
      expect(headersOf(head)).toEqual(headersOf(get));
    }
  });

  it.each([
    ...['index-OfBefore.js', 'a/index.js', '.hidden', 'index.html', '%2e%2e/.inputs'],
    ...['../.inputs', '..%2f.inputs', '..%5c.inputs', '....//.inputs', '%00', `${SCRIPT_NAME}/`],
    ...[`./${SCRIPT_NAME}`, `/${SCRIPT_NAME}`, `x/../${SCRIPT_NAME}`, `${SCRIPT_NAME}%20`],
  ])('404: /console/assets/%s is no asset', async (name) => {
    const response = await getRaw(app, `/console/assets/${name}`);

    expect(response.status).toBe(404);
    expect(JSON.parse(response.text)).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
  });

  it.each([
    '/console/../package.json',
    '/console/%2e%2e/package.json',
    '/console/..%2fpackage.json',
  ])('never is a file beside the assets: %s', async (target) => {
    expect((await getRaw(app, target)).text).toBe(PAGE);
  });

  it('404: an asset that is gone', async () => {
    const file = path.join(folder, 'assets', SCRIPT_NAME);
    fs.renameSync(file, `${file}.gone`);
    try {
      expect((await app.get(SCRIPT_PATH)).status).toBe(404);
    } finally {
      fs.renameSync(`${file}.gone`, file);
    }
    expect((await fetchWhole(app.url + SCRIPT_PATH)).text).toBe(SCRIPT);
  });

  it('404: no other method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const at of ['/console', '/console/licenses', SCRIPT_PATH]) {
        expect((await app.send(method, at, undefined)).status).toBe(404);
      }
    }
  });

  it('names the route in the log, never the address, which may hold a key', async () => {
    const key = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';
    await fetchWhole(`${app.url}/console/${key}?key=${key}`);
    const line = String(app.log.filter((each) => each.includes('"msg":"request"')).at(-1));

    expect(JSON.parse(line)).toMatchObject({ route: '/console/*', status: 200 });
    expect(line).not.toContain(key);
  });
});

describe('A console that is not built', () => {
  const app = useApp('SQLite', {}, { consoleFolder: '/nowhere' });

  it('404: is not found, and a warning says what to do, while the session works', async () => {
    for (const at of ['/console', '/console/', '/console/licenses', SCRIPT_PATH]) {
      expect((await app.get(at)).body).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    }
    expect(app.log.join('')).toMatch(/"level":40,.*The console is not built.*npm run build/);
    expect((await app.send('DELETE', '/console/session', undefined)).status).toBe(204);
  });
});

describe('CONSOLE=false', () => {
  const app = useApp('SQLite', { CONSOLE: 'false' }, { consoleFolder: useBuiltConsole() });

  it('404: there is no console and no session of it, and the rest is served', async () => {
    for (const at of ['/console', '/console/', '/console/licenses', SCRIPT_PATH]) {
      expect((await app.get(at)).status).toBe(404);
    }
    for (const [method, at] of [
      ...[
        ['POST', '/console/session'],
        ['POST', '/console/session/refresh'],
      ],
      ['DELETE', '/console/session'],
    ] as const) {
      const response = await fetchWhole(app.url + at, { method, headers: { Origin: app.url } });
      expect(response.status).toBe(404);
    }
    expect((await app.get('/auth/registration')).status).toBe(200);
  });
});
