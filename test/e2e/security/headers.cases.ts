import { Capacity } from '../../../src/http/capacity.js';
import { Store } from '../../../src/storage/store.js';
import type { TestApp } from '../../app.js';
import { exchange } from '../../http-exchange.js';
import { useApp, useDeveloper } from '../use-app.js';

const OURS = 'https://admin.example.com';
const OTHER = 'https://evil.example.com';

/** Browser protections in every response. */
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

/** An overload response is JSON, which browsers do not render as a page. */
const OF_OVERLOAD = { 'x-content-type-options': 'nosniff' };

const KEYS = '/keys/0123456789abcdef01234567';

interface Kind {
  readonly body?: string;
  readonly method?: string;
  /** Breaks part of the service first. */
  readonly fail?: (app: TestApp) => unknown;
  readonly protection?: Readonly<Record<string, unknown>>;
  /** `Cache-Control`; `no-store` by default. */
  readonly caching?: string;
}

const failing = (app: TestApp) =>
  jest.spyOn(app.nest.get(Store), 'find').mockRejectedValue(new Error('gone'));
const overloaded = (app: TestApp) =>
  jest.spyOn(app.nest.get(Capacity), 'take').mockReturnValue(false);

/** One response of each kind. For the console see test/e2e/console/pages.cases.ts. */
const KINDS: [name: string, status: number, path: string, kind?: Kind][] = [
  ['a response', 200, '/health/live'],
  ['a response without a body', 204, '/auth/logout', { body: '{"refreshToken":"x"}' }],
  // The documentation is the same for everyone on each visit.
  ['a page', 200, '/docs'],
  ['a session of another origin', 403, '/console/session', { body: '{}' }],
  ['the keys of an issuer', 200, KEYS, { caching: 'public, max-age=60' }],
  ['the keys of an issuer after a failure', 500, KEYS, { fail: failing }],
  ['malformed JSON', 400, '/clients', { body: '{' }],
  ['an undecodable URL', 400, '/clients/%zz'],
  ['too many requests', 429, '/validate/activate', { body: '{"key":"x"}' }],
  ['an overloaded service', 503, '/clients', { fail: overloaded, protection: OF_OVERLOAD }],
];

const OPEN_TO = 'access-control-allow-origin';

describe('S14: every response', () => {
  const [app, ada] = useDeveloper({ ACTIVATION_LIMIT: '1', CORS_ORIGINS: OURS });
  const call = async (path: string, origin: string, { body, method }: Kind = {}) => {
    const headers = {
      ...{ Authorization: `Bearer ${ada.token}`, Origin: origin },
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(method === 'OPTIONS' && { 'Access-Control-Request-Method': 'DELETE' }),
    };
    const request = { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, body };
    const response = await exchange(app.url + path, request);
    return { status: response.status, headers: Object.fromEntries(response.headers) };
  };

  beforeAll(() => app.post('/validate/activate', { key: 'x' }));
  afterEach(() => jest.restoreAllMocks());

  it.each(KINDS)(
    '%s: protects browsers, is not cached, names no software, and is open only to the configured origins',
    async (name, expected, path, kind = {}) => {
      kind.fail?.(app);
      const { status, headers } = await call(path, OURS, kind);

      expect(status).toBe(expected);
      expect(headers).toMatchObject({
        ...(kind.protection ?? PROTECTION),
        'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
      });
      for (const header of ['x-powered-by', 'server']) expect(headers).not.toHaveProperty(header);
      if (path === '/docs') expect(headers['cache-control']).not.toBe('no-store');
      else expect(headers['cache-control']).toBe(kind.caching ?? 'no-store');
      // A URL that reaches no route is of no use to a browser application, whatever its origin.
      expect(headers[OPEN_TO]).toBe(name === 'an undecodable URL' ? undefined : OURS);
      expect((await call(path, OTHER, kind)).headers).not.toHaveProperty(OPEN_TO);
    },
  );

  it('a preflight: names the methods only to the configured origins, which can read the headers they need', async () => {
    const { headers } = await call('/clients/1', OURS, { method: 'OPTIONS' });

    expect(headers).toMatchObject({
      ...{ ...PROTECTION, 'cache-control': 'no-store', [OPEN_TO]: OURS },
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    });
    const other = await call('/clients/1', OTHER, { method: 'OPTIONS' });
    expect(other.headers).not.toHaveProperty(OPEN_TO);
    const exposed = (await call('/health/live', OURS)).headers['access-control-expose-headers'];
    expect(exposed).toMatch(/Retry-After.*X-Request-Id/);
  });
});

describe('S14: without configured origins', () => {
  const app = useApp();

  it.each(['GET', 'OPTIONS'])('a response to %s is open to no origin', async (method) => {
    const headers = { Origin: OURS, 'Access-Control-Request-Method': 'DELETE' };
    const response = await exchange(`${app.url}/clients`, { method, headers });
    const names = [...response.headers.keys()];
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
