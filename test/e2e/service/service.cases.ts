import fs from 'node:fs';
import { WorkClasses } from '../../../src/server/overload/work-class.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { Store } from '../../../src/storage/store.js';
import { fetchWhole } from '../../fetch-whole.js';
import { unknownKey } from '../developer.js';
import { useDeveloper } from '../use-app.js';

describe('The service around the API', () => {
  const [app, ada] = useDeveloper();

  afterEach(() => jest.restoreAllMocks());

  it('serves its document, which is the committed openapi.json, of the version of the package, and its page within its content security policy', async () => {
    const served = (await app.get('/docs-json')).body as unknown;
    const read = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string };

    expect(served).toEqual(read('openapi.json'));
    expect(served).toMatchObject({ info: { version: read('package.json').version } });
    const page = await fetchWhole(`${app.url}/docs`);
    expect(page.headers.get('content-type')).toMatch(/text\/html/);
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/);
    for (let i = 0; i < 10; i += 1) {
      expect((await app.get('/docs/no-such-file.js')).status).toBe(404);
    }
    expect(app.nest.get(WorkClasses).other.inProgress).toBe(0);
  });

  it('bounds the time that a caller may take to send its request', () => {
    const { requestTimeout, headersTimeout } = app.nest.getHttpServer();
    expect([requestTimeout, headersTimeout]).toEqual([10_000, 10_000]);
  });

  it.each([
    ['/clients', 'commit', 'Internal server error', {}],
    ['/projects/createProject', 'commit', 'Failed to create project and license', {}],
    ['/validate/activate', 'find', 'Activation failed', { success: false }],
  ] as const)(
    '500: responds to any failure at %s as specified, with nothing but the request id, and logs the cause',
    async (path, method, message, marker) => {
      const client = await app.createClient(ada);
      const body = {
        ...{ name: 'Acme', email: 'failure@acme.example', clientId: client._id },
        ...{ projectName: 'Shop', duration: 1, services: ['Hosting'], key: unknownKey() },
      };
      const away = new DomainError('STORE_UNAVAILABLE', {}, { retryAfter: 1 });
      for (const error of [new Error('a cause'), away]) {
        jest.spyOn(app.nest.get(Store), method).mockRejectedValue(error);
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
    jest.spyOn(app.nest.get(Store), 'find').mockRejectedValue(tooMany);
    const response = await app.post('/validate/activate', { key: unknownKey() });

    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    expect(response.body).toEqual({
      ...{ success: false, errors: 'too many requests, please try again later.', status: 429 },
    });
  });
});
