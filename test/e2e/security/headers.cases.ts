import { WorkClasses } from '../../../src/server/overload/work-classes.js';
import { Store } from '../../../src/storage/store.js';
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
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  /** Breaks a part of the service first. */
  readonly fail?: (app: TestApp) => void;
  readonly protection?: Readonly<Record<string, unknown>>;
  /** `Cache-Control`; `no-store` by default. */
  readonly caching?: string;
}

const KEYS = '/keys/0123456789abcdef01234567';
const ofConsole = (caching?: string) => ({
  protection: CONSOLE_PROTECTION,
  ...(caching && { caching }),
});

/** One response of each kind, by what it is. */
const KINDS: [name: string, status: number, path: string, kind?: Kind][] = [
  ['a response', 200, '/health/live'],
  ['a response to HEAD', 200, '/health/live', { method: 'HEAD' }],
  ['a page', 200, '/docs'],
  ['an asset of a page', 200, '/docs/swagger-ui.css'],
  ['a page of the console', 200, '/console/licenses', ofConsole('no-cache')],
  [
    'an asset of the console',
    200,
    `/console/assets/${Object.keys(ASSETS)[0]}`,
    ofConsole('public, max-age=31536000, immutable'),
  ],
  ['no such asset of the console', 404, '/console/assets/old.js', ofConsole()],
  ['a session of another origin', 403, '/console/session', { body: '{}' }],
  ['a response without a body', 204, '/auth/logout', { body: '{"refreshToken":"x"}' }],
  ['the keys of an issuer', 200, KEYS, { caching: 'public, max-age=60' }],
  ['no keys, for a wrong query', 400, `${KEYS}?a=1`],
  ['no keys, for a failure', 500, KEYS, { fail: (app) => fail(app, 'find') }],
  ['malformed JSON', 400, '/clients', { body: '{' }],
  ['an undecodable URL', 400, '/clients/%zz'],
  ['no token', 401, '/clients', { headers: { Authorization: '' } }],
  ['too large a body', 413, '/clients', { body: 'x'.repeat(20_000) }],
  ['too many requests', 429, '/validate/activate', { body: '{"key":"x"}' }],
  ['no store', 503, '/health/ready', { fail: (app) => fail(app, 'ping') }],
  [
    'too much to do',
    503,
    '/clients',
    {
      fail: (app) => jest.spyOn(app.nest.get(WorkClasses).other, 'tryAdmit').mockReturnValue(false),
      // It is JSON, of which a browser makes no page.
      protection: { 'x-content-type-options': 'nosniff' },
    },
  ],
];
const fail = (app: TestApp, method: 'find' | 'ping') =>
  jest.spyOn(app.nest.get(Store), method).mockRejectedValue(new Error('gone'));

describe.each(['', ORIGIN])(
  `S14: ${KINDS.length} kinds of responses, with CORS_ORIGINS=%s`,
  (ours) => {
    const app = useApp(
      { ACTIVATION_LIMIT: '1', CORS_ORIGINS: ours },
      { consoleFolder: useBuiltConsole() },
    );
    const ada = useDeveloper(app);

    beforeAll(() => app.post('/validate/activate', { key: 'x' }));
    afterEach(() => jest.restoreAllMocks());

    const call = (
      path: string,
      { body, headers, method = body === undefined ? 'GET' : 'POST' }: Kind,
      origin: string,
    ) =>
      fetchWhole(app.url + path, {
        method,
        headers: {
          ...{ Authorization: `Bearer ${ada.token}`, Origin: origin },
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      });

    it.each(KINDS)(
      '%s: protects browsers, is not stored, names no software, and is open to the configured origins alone',
      async (name, expected, path, kind = {}) => {
        kind.fail?.(app);
        const { status, headers } = await call(path, kind, ORIGIN);
        const other = await call(path, kind, 'https://evil.example.com');
        const all = Object.fromEntries(headers);

        expect(status).toBe(expected);
        expect(all).toMatchObject({
          ...(kind.protection ?? PROTECTION),
          'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
        });
        for (const header of ['x-powered-by', 'server']) expect(all).not.toHaveProperty(header);
        // The documentation is the same for everyone, and the same at each visit.
        if (/^\/docs(\/|$)/.test(path)) expect(all['cache-control']).not.toBe('no-store');
        else expect(all['cache-control']).toBe(kind.caching ?? 'no-store');
        // A URL that reaches no route is of no use to a browser application, whatever its origin.
        const isOpen = ours && name !== 'an undecodable URL';
        expect(headers.get('access-control-allow-origin')).toBe(isOpen ? ours : null);
        expect(other.headers.get('access-control-allow-origin')).toBeNull();
      },
    );

    it('a preflight: names the methods to the configured origins alone, which can read what they need to go on', async () => {
      const preflight = (origin: string) => {
        const headers = { 'Access-Control-Request-Method': 'DELETE' };
        return call('/clients/1', { method: 'OPTIONS', headers }, origin);
      };
      const { headers } = await preflight(ORIGIN);
      const other = await preflight('https://evil.example.com');

      expect(Object.fromEntries(headers)).toMatchObject({
        ...PROTECTION,
        'cache-control': 'no-store',
      });
      expect(headers.get('access-control-allow-origin')).toBe(ours || null);
      expect(headers.get('access-control-allow-methods')).toBe(
        ours ? 'GET, HEAD, POST, PATCH, DELETE' : null,
      );
      expect(other.headers.get('access-control-allow-origin')).toBeNull();
      const exposed = (await call('/health/live', {}, ORIGIN)).headers;
      expect(exposed.get('access-control-expose-headers') ?? '').toMatch(
        ours ? /Retry-After.*X-Request-Id/ : /^$/,
      );
    });
  },
);
