import { ClientsRepository } from '../../../src/clients/clients.repository.js';
import { SigningKeysRepository } from '../../../src/certificates/signing-keys/signing-keys.repository.js';
import { StoreHealth } from '../../../src/health/store-health.js';
import { WorkClasses } from '../../../src/server/overload/work-classes.js';
import type { TestApp } from '../../app.js';
import { fetchWhole } from '../../fetch-whole.js';
import { ASSETS, useBuiltConsole } from '../console/built-console.js';
import { useApp, useDeveloper } from '../use-app.js';

const ORIGIN = 'https://admin.example.com';

/** What protects browsers, on every response. */
const PROTECTION = {
  'content-security-policy': expect.stringMatching(/^default-src 'self';.*script-src 'self';/),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/** The same for the pages of the console, which no page can embed. */
const CONSOLE_PROTECTION = {
  ...PROTECTION,
  'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';/),
  'x-frame-options': 'DENY',
};

interface Kind {
  readonly status: number;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  /** Breaks a part of the service first. */
  readonly fail?: (app: TestApp) => void;
  readonly protection?: Readonly<Record<string, unknown>>;
  /** `Cache-Control`; `no-store` by default. */
  readonly caching?: string;
}

/** One response of each kind, by what it is. */
const KINDS: Record<string, Kind> = {
  'a response': { status: 200, path: '/health/live' },
  'a response to HEAD': { status: 200, path: '/health/live', method: 'HEAD' },
  'a page': { status: 200, path: '/docs' },
  'an asset of a page': { status: 200, path: '/docs/swagger-ui.css' },
  'a page of the console': {
    ...{ status: 200, path: '/console/licenses', caching: 'no-cache' },
    protection: CONSOLE_PROTECTION,
  },
  'an asset of the console': {
    ...{ status: 200, path: `/console/assets/${Object.keys(ASSETS)[0]}` },
    ...{ protection: CONSOLE_PROTECTION, caching: 'public, max-age=31536000, immutable' },
  },
  'no such asset of the console': {
    ...{ status: 404, path: '/console/assets/old.js', protection: CONSOLE_PROTECTION },
  },
  'a session of another origin': { status: 403, path: '/console/session', body: '{}' },
  'the API document': { status: 200, path: '/docs-json' },
  'a response without a body': { status: 204, path: '/auth/logout', body: '{"refreshToken":"x"}' },
  'a created record': {
    status: 201,
    path: '/clients',
    body: '{"name":"Acme","email":"a@acme.example"}',
  },
  'the keys of an issuer': {
    ...{ status: 200, path: '/keys/0123456789abcdef01234567', caching: 'public, max-age=60' },
  },
  'no keys, for a wrong query': { status: 400, path: '/keys/0123456789abcdef01234567?a=1' },
  'no keys, for a failure': {
    ...{ status: 500, path: '/keys/0123456789abcdef01234567' },
    fail: (app) =>
      jest.spyOn(app.nest.get(SigningKeysRepository), 'findByIssuer').mockRejectedValue('gone'),
  },
  'malformed JSON': { status: 400, path: '/clients', body: '{' },
  'an undecodable URL': { status: 400, path: '/clients/%zz' },
  'no token': { status: 401, path: '/clients', headers: { Authorization: '' } },
  'no such route': { status: 404, path: '/nowhere' },
  'no such record': { status: 404, path: '/clients/0123456789abcdef01234567' },
  'a taken address': {
    status: 409,
    path: '/clients',
    body: '{"name":"Acme","email":"a@acme.example"}',
  },
  'too large a body': { status: 413, path: '/clients', body: 'x'.repeat(20_000) },
  'another content type': {
    status: 415,
    path: '/clients',
    body: 'x',
    headers: { 'Content-Type': 'text/plain' },
  },
  'too many requests': { status: 429, path: '/validate/activate', body: '{"key":"x"}' },
  'a failure': {
    status: 500,
    path: '/clients',
    body: '{"name":"Acme","email":"b@acme.example"}',
    fail: (app) => jest.spyOn(app.nest.get(ClientsRepository), 'create').mockRejectedValue('gone'),
  },
  'no store': {
    status: 503,
    path: '/health/ready',
    fail: (app) => jest.spyOn(app.nest.get(StoreHealth), 'ping').mockRejectedValue(new Error()),
  },
  'too much to do': {
    status: 503,
    path: '/clients',
    fail: (app) => jest.spyOn(app.nest.get(WorkClasses).other, 'tryAdmit').mockReturnValue(false),
    // It is JSON, of which a browser makes no page.
    protection: { 'x-content-type-options': 'nosniff' },
  },
};

describe.each([
  ['none', undefined],
  ['one', ORIGIN],
])(
  `S14: ${Object.keys(KINDS).length} kinds of responses, with %s of CORS_ORIGINS`,
  (_case, ours) => {
    const app = useApp(
      'SQLite',
      { ACTIVATION_LIMIT: '1', CORS_ORIGINS: ours ?? '' },
      { consoleFolder: useBuiltConsole() },
    );
    const ada = useDeveloper(app);

    beforeAll(async () => {
      await app.post('/validate/activate', { key: 'x' });
    });
    afterEach(() => jest.restoreAllMocks());

    const call = (
      { path, body, headers, method = body === undefined ? 'GET' : 'POST' }: Kind,
      origin: string,
    ) =>
      fetchWhole(app.url + path, {
        method,
        headers: {
          Authorization: `Bearer ${ada.token}`,
          Origin: origin,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      });

    it.each(Object.entries(KINDS))(
      '%s: protects browsers, is not stored, names no software, and is open to the configured origins alone',
      async (_name, kind) => {
        kind.fail?.(app);
        const { status, headers } = await call(kind, ORIGIN);
        const other = await call(kind, 'https://evil.example.com');
        const all = Object.fromEntries(headers);

        expect(status).toBe(kind.status);
        expect(all).toMatchObject({
          ...(kind.protection ?? PROTECTION),
          'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
        });
        expect(all).not.toHaveProperty('x-powered-by');
        expect(all).not.toHaveProperty('server');
        // The documentation is the same for everyone, and the same at each visit.
        if (/^\/docs(\/|$)/.test(kind.path)) expect(all['cache-control']).not.toBe('no-store');
        else expect(all['cache-control']).toBe(kind.caching ?? 'no-store');
        // A URL that reaches no route is of no use to a browser application, whatever its origin.
        const isOpen = ours !== undefined && kind !== KINDS['an undecodable URL'];
        expect(headers.get('access-control-allow-origin')).toBe(isOpen ? ours : null);
        expect(other.headers.get('access-control-allow-origin')).toBeNull();
      },
    );

    it('an undecodable URL: has the body of every error, and its line in the log', async () => {
      const response = await app.get('/clients/%zz');

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ code: 'BAD_REQUEST', requestId: expect.any(String) });
      expect(response.headers.get('x-request-id')).toBe(response.body.requestId);
      const lines = app.log.filter((line) => line.includes(response.body.requestId));
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        expect.objectContaining({ method: 'GET', path: '/clients/*', status: 400, msg: 'request' }),
      ]);
    });

    it('a preflight: names the methods to the configured origins alone', async () => {
      const preflight = (origin: string) =>
        fetchWhole(`${app.url}/clients/1`, {
          method: 'OPTIONS',
          headers: { Origin: origin, 'Access-Control-Request-Method': 'DELETE' },
        });
      const { headers } = await preflight(ORIGIN);
      const other = await preflight('https://evil.example.com');

      expect(Object.fromEntries(headers)).toMatchObject({
        ...PROTECTION,
        'cache-control': 'no-store',
      });
      expect(headers.get('access-control-allow-origin')).toBe(ours ?? null);
      expect(headers.get('access-control-allow-methods')).toBe(
        ours ? 'GET, HEAD, POST, PATCH, DELETE' : null,
      );
      expect(other.headers.get('access-control-allow-origin')).toBeNull();
    });

    it('lets those origins read what they need to go on', async () => {
      const { headers } = await call(KINDS['a response']!, ORIGIN);

      expect(headers.get('access-control-expose-headers') ?? '').toMatch(
        ours ? /Retry-After.*X-Request-Id/ : /^$/,
      );
    });
  },
);
