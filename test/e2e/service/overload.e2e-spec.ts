import { EventLoop } from '../../../src/shared/http/overload/event-loop.js';
import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import { readDocument, routesOf } from '../../document/openapi-document.js';

const ROUTES = routesOf(readDocument()).filter(({ path }) => !path.startsWith('/health/'));
const MARKERS: Readonly<Record<string, object>> = {
  '/validate': { valid: false },
  '/validate/activate': { success: false },
};

describe.each(ENGINES)('R8: a service that has too much to do, on %s', (engine) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start(engine);
  });
  beforeEach(() => {
    jest.spyOn(app.nest.get(EventLoop), 'hasTime').mockReturnValue(false);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  it.each(ROUTES.map(({ method, path }) => [method.toUpperCase(), path] as const))(
    'refuses %s %s as the document says, and tells when to come back',
    async (method, path) => {
      const url = path.replace(/\{\w+\}/g, '0123456789abcdef01234567');
      const answer = await app.send(method, url, method === 'POST' ? '{}' : undefined);

      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.body).toMatchObject({ ...MARKERS[path], code: 'OVERLOADED' });
      expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
    },
  );

  it('says that it is alive, and ready: its share would only fall on others that have as much to do', async () => {
    expect((await app.get('/health/live')).status).toBe(200);
    expect((await app.get('/health/ready')).status).toBe(200);
  });

  it('serves again as soon as there is time', async () => {
    expect((await app.get('/clients')).status).toBe(503);
    jest.restoreAllMocks();

    expect((await app.get('/clients')).status).toBe(401);
  });
});
