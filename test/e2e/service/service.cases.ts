import fs from 'node:fs';
import { ENGINES } from '../../engines.js';
import { StoreHealth } from '../../../src/health/store-health.js';
import { UsersRepository } from '../../../src/auth/accounts/users.repository.js';
import { ClientsRepository } from '../../../src/clients/clients.repository.js';
import { LicensesRepository } from '../../../src/licenses/licenses.repository.js';
import { ProjectsRepository } from '../../../src/projects/projects.repository.js';
import { WorkClasses } from '../../../src/server/overload/work-classes.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { createClient, registerDeveloper, unknownKey } from '../developer.js';
import { useApp } from '../use-app.js';

describe.each(ENGINES)('The service around the API, on %s', (engine) => {
  const app = useApp(engine);

  it('says that it is alive and ready without authentication', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const response = await app.get(path);
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ status: 'ok' });
    }
  });

  /** Readiness once it has this status: the store is queried four times a second at most. */
  const readinessOf = async (status: number) => {
    let readiness = await app.get('/health/ready');
    while (readiness.status !== status) readiness = await app.get('/health/ready');
    return readiness;
  };

  it('is not ready, but alive, while its store does not respond', async () => {
    const ping = jest.spyOn(app.nest.get(StoreHealth), 'ping').mockRejectedValue(new Error('gone'));
    const ready = await readinessOf(503);
    const live = await app.get('/health/live');
    ping.mockRestore();

    expect(ready.body).toMatchObject({ message: 'Service unavailable', code: 'STORE_UNAVAILABLE' });
    expect(live.status).toBe(200);
    expect((await readinessOf(200)).body).toEqual({ status: 'ok' });
  });

  it('serves its document, which is the committed openapi.json, of the version of the package', async () => {
    const served = (await app.get('/docs-json')).body as unknown;
    const read = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string };

    expect(served).toEqual(read('openapi.json'));
    expect(served).toMatchObject({ info: { version: read('package.json').version } });
  });

  it('serves the documentation to a browser, within its own content security policy', async () => {
    const page = await fetch(`${app.url}/docs`);
    const html = await page.text();
    const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>/g)];

    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/text\/html/);
    expect(inline).toEqual([]);
  });

  it('bounds the time that a caller may take to send its request', () => {
    const { requestTimeout, headersTimeout } = app.nest.getHttpServer();

    expect(requestTimeout).toBe(10_000);
    expect(headersTimeout).toBeLessThanOrEqual(requestTimeout);
  });

  it('gives each request an id of its own, in the response and in the log', async () => {
    const [first, second] = await Promise.all([
      app.get('/nowhere', { headers: { 'X-Request-Id': 'mine' } }),
      app.get('/nowhere'),
    ]);

    expect(first.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
    expect(first.body.requestId).toBe(first.headers.get('x-request-id'));
    expect(app.log.filter((line) => line.includes(first.body.requestId))).toHaveLength(1);
  });

  it('404 with the body of every error for an unknown route', async () => {
    const response = await app.get('/nowhere');

    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ message: 'Route not found', code: 'ROUTE_NOT_FOUND' });
  });

  it('404 for each of 100 missing files of the documentation, which leave no capacity occupied', async () => {
    for (let i = 0; i < 100; i += 1) {
      expect((await app.get('/docs/no-such-file.js')).status).toBe(404);
    }
    expect(app.nest.get(WorkClasses).other.inProgress).toBe(0);
  });

  it.each([
    ['/clients', ClientsRepository, 'create', 'Internal server error', {}],
    [
      '/projects/createProject',
      ProjectsRepository,
      'createWithFirstLicense',
      'Failed to create project and license',
      {},
    ],
    [
      '/validate/activate',
      LicensesRepository,
      'findByKeyHash',
      'Activation failed',
      { success: false },
    ],
  ] as const)(
    'responds to any failure at %s as specified, an unreachable store included',
    async (path, port, method, message, marker) => {
      const developer = await registerDeveloper(app);
      const client = await createClient(app, developer);
      const body = {
        ...{ name: 'Acme', email: 'failure@acme.example', clientId: client._id },
        ...{ projectName: 'Shop', duration: 1, services: ['Hosting'] },
        key: unknownKey(),
      };
      for (const error of [new Error('a cause'), new DomainError('STORE_UNAVAILABLE')]) {
        const failure = jest
          .spyOn(app.nest.get<object>(port) as Record<string, () => Promise<unknown>>, method)
          .mockRejectedValue(error);
        const response = await app.post(path, body, developer);
        failure.mockRestore();

        expect(response.status).toBe(500);
        expect(response.body).toMatchObject({ ...marker, message, error: expect.any(String) });
        expect(JSON.stringify(response.body)).not.toContain('a cause');
      }
    },
  );

  it('rejects too many activations at once with the 429 of the specification', async () => {
    const tooMany = new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { retryAfter: 1 });
    const failure = jest
      .spyOn(app.nest.get(LicensesRepository), 'findByKeyHash')
      .mockRejectedValue(tooMany);
    const key = unknownKey();
    const [activation, validation] = [
      await app.post('/validate/activate', { key }),
      await app.post('/validate', { key }),
    ];
    failure.mockRestore();

    expect(activation.status).toBe(429);
    expect(activation.headers.get('retry-after')).toBe('1');
    expect(activation.body).toEqual({
      success: false,
      errors: 'too many requests, please try again later.',
      status: 429,
    });
    expect(validation.status).toBe(429);
    expect(validation.body).toMatchObject({ code: 'TOO_MANY_CONCURRENT_REQUESTS', valid: false });
  });

  it('shows the caller of a failure nothing but the request id, and logs the cause', async () => {
    const failure = jest
      .spyOn(app.nest.get(UsersRepository), 'findByEmail')
      .mockRejectedValue(new Error('cause-of-the-failure'));
    const response = await app.post('/auth/login', {
      email: 'ada@example.com',
      password: 'correct horse battery',
    });
    failure.mockRestore();

    expect(response.status).toBe(500);
    expect(response.body).toEqual({
      message: 'Internal server error',
      code: 'INTERNAL_ERROR',
      error: `Tell the operator the request id ${response.body.requestId}.`,
      requestId: response.headers.get('x-request-id'),
    });
    const record = app.log.find((line) => line.includes('cause-of-the-failure'));
    expect(record).toContain(response.body.requestId);
  });
});
