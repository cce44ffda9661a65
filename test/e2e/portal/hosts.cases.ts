import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { PortalSettingsService } from '../../../src/portal/portal-settings.service.js';
import { exchange } from '../../http-exchange.js';
import { AppendingProxy } from '../../nginx/appending-proxy.js';
import { itWithNginx, nginx } from '../../nginx/nginx.js';
import { useBuiltApp } from '../built-app.js';
import { NOBODYS } from '../developer.js';
import { countsOf, untilHeld } from '../responses.js';
import { useApp } from '../use-app.js';

const PAGE = '<!doctype html><title>Portal</title>';
const HOST = { Host: 'portal.localhost' };
const ISSUER = '0123456789abcdef01234567';

describe('The hosts of the service', () => {
  const app = useApp({}, { portalFolder: useBuiltApp(PAGE) });

  const at = (route: string, headers: Record<string, string>, method = 'GET') =>
    exchange(app.url + route, { method, headers });

  it.each([
    ...['/', '/auth/registration', '/clients', '/health/live', '/docs', '/docs-json', '/keys/a'],
    ...['/portal', '/console', '/console/session', '/validate'],
  ])('404: the portal does not serve %s, with any method', async (route) => {
    for (const host of ['portal.localhost', 'Portal.LOCALHOST:8443']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, text } = await at(route, { Host: host }, method);
        expect([status, JSON.parse(text).code]).toEqual([404, 'ROUTE_NOT_FOUND']);
      }
    }
  });

  it.each([
    ...[`/${ISSUER}`, `/${ISSUER}/sign-in`, '/assets/index-1.js'],
    ...[`/portal/${ISSUER}`, `/portal/${ISSUER}/licenses`, `/portal/${ISSUER}/session`],
  ])('404: other hosts, however alike, do not serve %s', async (route) => {
    for (const host of [
      ...['licenses.example.com', '127.0.0.1', 'portal.localhost.', 'a.portal.localhost'],
      ...['portal.localhost.example.com', 'portal.localhost@a', 'a b', ''],
    ]) {
      const { status, text } = await at(route, { Host: host });
      expect([host, status, JSON.parse(text).code]).toEqual([host, 404, 'ROUTE_NOT_FOUND']);
    }
    const forwarded = { ...HOST, 'X-Forwarded-Host': 'licenses.example.com' };
    expect((await at(route, forwarded)).status).toBe(404);
  });

  itWithNginx('are told apart through nginx as documented', async () => {
    const proxy = await AppendingProxy.start(String(nginx), app.url);
    try {
      const codeAt = async (host: string) => {
        const { text } = await exchange(`${proxy.url}/portal/${ISSUER}`, {
          headers: { Host: host },
        });
        return (JSON.parse(text) as { code: string }).code;
      };
      expect(await codeAt('portal.localhost')).toBe('PORTAL_NOT_FOUND');
      expect(await codeAt('licenses.example.com')).toBe('ROUTE_NOT_FOUND');
    } finally {
      await proxy.stop();
    }
  });

  it.each([
    ['/', 'Open the link in the email from your vendor.'],
    ['/console', 'Open the link in the email from your vendor.'],
    [`/${ISSUER}/sing-in?a`, `<a href="/${ISSUER}">Open the customer portal</a>`],
  ])('404: a browser that opens %s sees a page that says how to continue', async (route, text) => {
    const page = await at(route, { ...HOST, Accept: 'text/html,*/*;q=0.8' });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      ...[404, 'text/html; charset=utf-8'],
    ]);
    expect(page.text).toContain(text);
  });

  it('200: the portal serves its page, which runs only its own files', async () => {
    for (const route of [`/${ISSUER}`, `/${ISSUER}/sign-in?a`]) {
      const { status, text, headers } = await at(route, HOST);
      expect([status, text]).toEqual([200, PAGE]);
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/,
      );
    }
    expect((await at('/assets/index-1.js', HOST)).status).toBe(200);
    expect((await at('/assets/index-2.js', HOST)).status).toBe(404);
  });
});

describe('R10: requests to a portal that never end', () => {
  const app = useApp({}, { isBounded: true });
  let endAll: () => void = () => undefined;
  afterEach(() => {
    endAll();
    jest.restoreAllMocks();
  });

  it('take the 16 slots of their vendor, but none of other portals or of the API', async () => {
    const ada = await app.register();
    const end = new Promise<void>((resolve) => (endAll = resolve));
    const find = jest.spyOn(app.nest.get(PortalSettingsService), 'find');
    find.mockImplementation(async () => {
      await end;
      throw new DomainError('PORTAL_NOT_FOUND');
    });
    const send = (issuer: string, index: number) =>
      app.get(`/portal/${issuer}`, { from: `192.0.2.${index}` });
    const all = [...Array<string>(20).fill(ada._id), NOBODYS].map(send);
    expect(countsOf(await untilHeld(all, find))).toEqual({ TOO_MANY_CONCURRENT_REQUESTS: 4 });
    expect((await app.get('/clients', ada)).status).toBe(200);
    endAll();
    expect(countsOf(await Promise.all(all))).toEqual({
      PORTAL_NOT_FOUND: 17,
      TOO_MANY_CONCURRENT_REQUESTS: 4,
    });
  });
});
