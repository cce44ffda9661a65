import type { Route } from '../../document/openapi-document.js';
import { fetchWhole } from '../../fetch-whole.js';
import { everythingOf } from '../everything.js';
import {
  BODIES,
  createWorld,
  ERROR_MARKERS,
  idOf,
  pathTo,
  ROUTES,
  type World,
} from '../security/world.js';
import { useApp } from '../use-app.js';

const UNKNOWN = {
  'a field': ['pagee=2', 'pagee'],
  'a field without a value': ['pagee', 'pagee'],
  'a field that the body has': ['name=Acme', 'name'],
  'the name of a built-in one': ['constructor=1', 'constructor'],
  'a field without a name': ['=1', ''],
} as const;

describe(`A query field that is not declared, at each of ${ROUTES.length} routes`, () => {
  const app = useApp('SQLite');
  let world: World;

  beforeAll(async () => {
    world = await createWorld(app);
  });

  const send = (route: Route, query: string, token = world.user.token) => {
    const body = route.operation.requestBody && BODIES[idOf(route)]!(world);
    const path = `${pathTo(route, world)}?${query}`;
    return app.send(route.method, path, body && JSON.stringify(body), { token });
  };

  it.each(ROUTES.map((route) => [idOf(route), route] as const))(
    '400: is rejected by name at %s, and nothing is done',
    async (operation, route) => {
      const before = await everythingOf(app, world.user);
      for (const [query, name] of Object.values(UNKNOWN)) {
        const response = await send(route, query);
        const reasons = [`property ${name} should not exist`];

        expect(response.status).toBe(400);
        expect(response.body).toEqual({
          ...ERROR_MARKERS[operation],
          message: 'Validation error',
          code: 'VALIDATION_ERROR',
          errors: { [name]: reasons },
          details: `${reasons[0]}.`,
          requestId: response.headers.get('x-request-id'),
        });
      }
      expect(await everythingOf(app, world.user)).toEqual(before);
    },
  );

  it('400: is rejected beside one that is declared, and beside one more', async () => {
    const lists = ROUTES.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'limit'),
    );
    expect(lists.length).toBeGreaterThan(3);
    for (const route of lists) {
      const response = await send(route, 'limit=5&limt=5&ofset=1');
      expect(Object.keys(response.body.errors as object)).toEqual(['limt', 'ofset']);
    }
    const [route] = ROUTES.filter((one) => idOf(one) === 'getLiveness');
    const response = await send(route!, 'a=1&b=2');
    expect(Object.keys(response.body.errors as object)).toEqual(['a', 'b']);
  });

  it('accepts an empty query', async () => {
    for (const route of ROUTES.filter(({ method }) => method === 'GET')) {
      expect((await send(route, '')).status).toBe(200);
    }
  });

  it('401: is not reported without a token', async () => {
    for (const route of ROUTES.filter(({ operation }) => operation.security?.length)) {
      expect((await send(route, 'pagee=2', 'nonsense')).status).toBe(401);
    }
  });

  it('leaves the documentation alone', async () => {
    for (const path of ['/docs?a=1', '/docs-json?a=1', '/docs/swagger-ui.css?a=1']) {
      expect((await fetchWhole(app.url + path)).status).toBe(200);
    }
  });
});

describe('A query field that is not declared, and the limits', () => {
  const app = useApp('SQLite', {
    ...{ ACTIVATION_LIMIT: '2', VALIDATION_ADDRESS_LIMIT: '2', UNKNOWN_KEY_LIMIT: '2' },
    ...{ LOGIN_LIMIT: '2', REGISTER_LIMIT: '2', REFRESH_LIMIT: '2' },
  });

  it.each([
    ['/validate', '203.0.113.1'],
    ['/validate/activate', '203.0.113.2'],
    ['/auth/register', '203.0.113.3'],
    ['/auth/refresh', '203.0.113.4'],
    ['/auth/logout', '203.0.113.5'],
  ])('counts at %s like any other request, and comes after the limit', async (path, from) => {
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await app.post(`${path}?a=1`, {}, { from })).status);

    expect(statuses).toEqual([400, 400, 429]);
  });

  it('comes after the limit of failed logins', async () => {
    const login = { email: 'nobody@studio.example', password: 'wrong' };
    for (let i = 0; i < 2; i++) await app.post('/auth/login', login);

    expect((await app.post('/auth/login?a=1', login)).status).toBe(429);
  });
});
