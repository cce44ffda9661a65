import fs from 'node:fs';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Capacity } from '../../../src/http/capacity.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { VERSION } from '../../../src/shared/version.js';
import { WritableStore } from '../../../src/storage/writable-store.js';
import { AccountsService } from '../../../src/auth/accounts/accounts.service.js';
import { exchange } from '../../http-exchange.js';
import { unknownKey } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';
import type { OpenApiDocument } from '../../document/openapi-document.js';
import { expectError, expectInvalid } from '../responses.js';
import { ERROR_MARKERS } from '../security/world.js';

describe('The service around the API', () => {
  const [app, ada] = useDeveloper();

  afterEach(() => jest.restoreAllMocks());

  it('serves the committed openapi.json with the package version, and a page that obeys its content security policy', async () => {
    const served = (await app.get('/docs-json')).body as unknown;
    const read = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string };

    expect(served).toEqual(read('openapi.json'));
    expect(served).toMatchObject({ info: { version: read('package.json').version } });
    const page = await exchange(`${app.url}/docs`);
    expect(page.headers.get('content-type')).toMatch(/text\/html/);
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/);
    for (let i = 0; i < 10; i += 1) {
      expect((await app.get('/docs/no-such-file.js')).status).toBe(404);
    }
    expect(app.nest.get(Capacity).size).toBe(0);
  });

  it('reports its version in its health, and in a header only to signed-in callers', async () => {
    const versionOf = async (path: string, caller?: typeof ada) => {
      const { body, headers } = await app.get(path, caller);
      return [body.version, headers.get('x-service-version')];
    };
    expect(await versionOf('/health/live')).toEqual([VERSION, null]);
    expect(await versionOf('/health/ready')).toEqual([VERSION, null]);
    expect(await versionOf('/clients', ada)).toEqual([undefined, VERSION]);
  });

  it('limits the time that a caller can take to send its request', () => {
    const { requestTimeout, headersTimeout } = app.nest.getHttpServer();
    expect([requestTimeout, headersTimeout]).toEqual([10_000, 10_000]);
  });

  it.each([
    ['/clients', 'commit', 'Internal server error', {}],
    ['/projects/createProject', 'commit', 'Failed to create project and license', {}],
    ['/validate/activate', 'find', 'Activation failed', { success: false }],
  ] as const)(
    '500: responds to any failure at %s as specified, adding only the request id, and logs the cause',
    async (path, method, message, marker) => {
      const { _id: clientId } = await app.createClient(ada);
      const body = {
        '/clients': { name: 'Acme', email: 'failure@acme.example' },
        '/projects/createProject': {
          ...{ clientId, projectName: 'Shop', duration: 1, services: ['Hosting'] },
        },
        '/validate/activate': { key: unknownKey() },
      }[path];
      const away = new DomainError('STORE_UNAVAILABLE', {}, { retryAfter: 1 });
      for (const error of [new Error('a cause'), away]) {
        jest.spyOn(app.nest.get(WritableStore), method).mockRejectedValue(error);
        const response = await app.post(path, body, ada);

        expect(response.status).toBe(500);
        expect(response.headers.get('retry-after')).toBe(error === away ? '1' : null);
        const { requestId } = response.body;
        const told = `Tell the operator the request id ${requestId}.`;
        expect(response.body).toMatchObject({ ...marker, message, error: told });
        const causes = app.log.filter(
          (line) => line.includes(requestId) && line.includes('a cause'),
        );
        expect(causes).toHaveLength(error === away ? 0 : 1);
      }
    },
  );

  it('429: rejects too many activations at once as the specification says', async () => {
    const tooMany = new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { retryAfter: 1 });
    jest.spyOn(app.nest.get(WritableStore), 'find').mockRejectedValue(tooMany);
    const response = await app.post('/validate/activate', { key: unknownKey() });

    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    expect(response.body).toEqual({
      ...{ success: false, errors: 'too many requests, please try again later.', status: 429 },
    });
  });

  it('R8: under overload, rejects license checks with their markers, and unknown routes, with Retry-After', async () => {
    jest.spyOn(app.nest.get(Capacity), 'take').mockReturnValue(false);
    for (const [path, marker] of [
      ['/validate', ERROR_MARKERS.validateLicense],
      ['/validate/activate', ERROR_MARKERS.activateLicense],
      ['/auth/login', {}],
    ] as const) {
      const response = await app.post(path, {});
      expectError(response, 'OVERLOADED', marker);
      expect(response.headers.get('retry-after')).toBe('1');
    }
    expect((await exchange(`${app.url}/x`)).status).toBe(503);
    // Taking it out of rotation would add its load to the other instances.
    expect((await app.get('/health/ready')).status).toBe(200);
  });
});

const BODY = JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery' });
const HEAD =
  'POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${BODY.length}\r\n\r\n`;
const ABORTED = {
  ...{ level: 30, time: expect.any(String), reqId: expect.any(String), msg: 'request' },
  ...{ ms: expect.any(Number), ip: '127.0.0.1', aborted: true, method: 'POST' },
};
const LONG = `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}`;
const CLOSE = 'Connection: close';

describe('A connection', () => {
  // No other connection is open.
  const app = useApp({});

  /** A connection, and when the service closes its end. */
  async function open() {
    const { hostname: host, port } = new URL(app.url);
    const accepted = once(app.nest.getHttpServer(), 'connection');
    const caller = connect({ host, port: Number(port), allowHalfOpen: true });
    await once(
      caller.on('error', () => undefined),
      'connect',
    );
    const [served] = (await accepted) as [Socket];
    return { caller, closed: new Promise((resolve) => served.once('close', resolve)) };
  }

  describe('whose caller disconnects', () => {
    let logged: number;
    beforeEach(() => (logged = app.log.length));

    /** Every line except security events, because an aborted login still logs one. */
    const lines = () => app.log.slice(logged).filter((line) => !line.includes('"msg":"security"'));

    async function nextLines(): Promise<object[]> {
      while (lines().length === 0) await new Promise(setImmediate);
      // A second line of the same request would follow immediately.
      for (let tick = 0; tick < 20; tick += 1) await new Promise(setImmediate);
      return lines().map((line) => JSON.parse(line) as object);
    }

    it.each([
      ['resets the connection', HEAD, { route: '/auth/login' }],
      ['reaches no route', HEAD.replace('/auth/login', '/nowhere'), {}],
    ])('while sending the body, and %s, logs one line', async (_how, head, target) => {
      const { caller } = await open();
      const arrived = once(app.nest.getHttpServer(), 'request');
      caller.write(head + BODY.slice(0, 10));
      await arrived;
      caller.resetAndDestroy();

      expect(await nextLines()).toEqual([{ ...ABORTED, ...target }]);
    });

    it('during a request logs one line without a failure', async () => {
      const { caller, closed } = await open();
      let proceed: (user: null) => void = () => undefined;
      const begun = new Promise<void>((resolve) => {
        jest.spyOn(app.nest.get(AccountsService), 'findByEmail').mockImplementationOnce(() => {
          resolve();
          return new Promise((found) => (proceed = found));
        });
      });
      caller.write(HEAD + BODY);
      await begun;
      caller.resetAndDestroy();
      await closed;
      proceed(null);

      expect(await nextLines()).toEqual([{ ...ABORTED, route: '/auth/login' }]);
    });
  });

  it.each([
    ['an invalid request line', 'NONSENSE\r\n\r\n', 400, 'BAD_REQUEST'],
    ['headers of more than 16 KiB', `${LONG}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['a header that never ends', LONG, 431, 'HEADERS_TOO_LARGE'],
    ['no path', `GET *x HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n\r\n`, 404, 'ROUTE_NOT_FOUND'],
  ])('that sends %s gets an error and is closed', async (_case, bytes, status, code) => {
    const { caller, closed } = await open();
    caller.write(bytes);
    const [head = '', json = ''] = (await text(caller)).split('\r\n\r\n');
    await closed;
    caller.destroy();
    const body = JSON.parse(json) as { requestId: string };

    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(body).toMatchObject({ message: expect.any(String), code });
    expect(head.toLowerCase()).toContain(`x-request-id: ${body.requestId}`);
    expect(head.toLowerCase()).toContain('cache-control: no-store');
  });
});

describe('The services of a deployment', () => {
  const [support, ada] = useDeveloper({ SERVICES: 'Support, Updates' });
  const [none, bob] = useDeveloper({ SERVICES: 'none' });

  const documented = async (app: typeof none) => {
    const { components } = (await app.get('/docs-json')).body as unknown as OpenApiDocument;
    const { LicensedService, CreateProjectDto, LicenseDto } = components.schemas;
    return [LicensedService, CreateProjectDto!.properties!.services, LicenseDto].map(
      (schema) => schema && JSON.stringify(schema),
    );
  };

  it('are the names in SERVICES, in requests and in the document', async () => {
    const plan = (services: unknown) =>
      support.post('/plans', { name: 'Team', days: 3, services }, ada);
    expectInvalid(await plan(['Hosting']), 'services');
    expectError(await plan([]), 'SERVICES_REQUIRED');
    expect((await plan(['Updates'])).body.plan.services).toEqual(['Updates']);
    const [enumerated, requested] = await documented(support);
    expect(enumerated).toContain('["Support","Updates"]');
    expect(requested).toContain('"example":["Support","Updates"]');
  });

  it('are empty with SERVICES=none: the field can be omitted, and requests do not document it', async () => {
    const { _id: clientId } = await none.createClient(bob);
    const create = (fields: object) =>
      none.post(
        '/projects/createProject',
        { clientId, projectName: 'Shop', duration: 1, ...fields },
        bob,
      );
    for (const fields of [{}, { services: [] }, { services: null }]) {
      expect((await create(fields)).body.license.services).toEqual([]);
    }
    expectInvalid(await create({ services: ['Hosting'] }), 'services');
    const [enumerated, requested, shown] = await documented(none);
    expect([enumerated, requested]).toEqual([undefined, undefined]);
    expect(shown).toContain('"services":{"example":[],');
  });
});
