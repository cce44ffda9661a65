import { everythingOf } from '../everything.js';
import { expectInvalid } from '../expect-response.js';
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

describe(`A query field that is not declared, at each of ${ROUTES.length} routes`, () => {
  const app = useApp();
  let world: World;

  beforeAll(async () => {
    world = await createWorld(app);
  });

  const send = (route: (typeof ROUTES)[number], query: string, token = world.user.token) => {
    const body = route.operation.requestBody && JSON.stringify(BODIES[idOf(route)]!(world));
    return app.send(route.method, `${pathTo(route, world)}?${query}`, body, { token });
  };

  it('400: is rejected by name, and nothing is done; 401 before that', async () => {
    const before = await everythingOf(app, world.user);
    for (const route of ROUTES) {
      const response = await send(route, 'pagee=2');

      expect([idOf(route), response.status, response.body]).toEqual([
        ...[idOf(route), 400],
        {
          ...ERROR_MARKERS[idOf(route)],
          ...{ message: 'Validation error', code: 'VALIDATION_ERROR' },
          errors: { pagee: ['property pagee should not exist'] },
          details: 'property pagee should not exist.',
          requestId: response.headers.get('x-request-id'),
        },
      ]);
      if (!route.operation.security?.length) continue;
      expect((await send(route, 'pagee=2', 'nonsense')).status).toBe(401);
    }
    expect(await everythingOf(app, world.user)).toEqual(before);
  });

  it.each([
    ['pagee', ['pagee']],
    ['constructor=1', ['constructor']],
    ['=1', ['']],
    ['limit=5&limt=5&ofset=1', ['limt', 'ofset']],
  ])('400: ?%s of GET /clients names %j', async (query, names) => {
    expectInvalid(await app.get(`/clients?${query}`, world.user), ...names);
  });
});
