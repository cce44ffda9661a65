import { FORGERIES, signAnew } from '../../builders/forged-tokens.js';
import { SECRETS } from '../../engines.js';
import { everythingOf } from '../everything.js';
import { useApp } from '../use-app.js';
import { BODIES, createWorld, idOf, pathTo, ROUTES, type World } from './world.js';

const PUBLIC = ROUTES.filter(({ operation }) => operation.security?.length === 0);
const AUTHENTICATED = ROUTES.filter((route) => !PUBLIC.includes(route));

describe(`S5: ${FORGERIES.length} wrong tokens at each of ${AUTHENTICATED.length} authenticated routes`, () => {
  const app = useApp('SQLite');
  let world: World;
  let before: unknown;

  beforeAll(async () => {
    world = await createWorld(app);
    before = await everythingOf(app, world.user);
  });

  const stolen = () => ({ ...world.user, secret: SECRETS.JWT_SECRET });

  it('covers every route but the public ones', () => {
    expect(PUBLIC.map(idOf).sort()).toEqual([
      ...['activateLicense', 'createConsoleSession', 'deleteConsoleSession', 'getKeySet'],
      ...['getLiveness', 'getReadiness', 'getRegistration', 'login', 'logout', 'refresh'],
      ...['refreshConsoleSession', 'register', 'validateLicense'],
    ]);
  });

  it('has genuine tokens to forge them from', async () => {
    expect((await app.get('/auth/me', { token: world.user.token })).status).toBe(200);
    expect((await app.get('/auth/me', { token: signAnew(stolen()) })).status).toBe(200);
  });

  it.each(AUTHENTICATED.map((route) => [idOf(route), route] as const))(
    '401 at %s for each, before the body is read, and nothing is done',
    async (operation, route) => {
      const body = route.operation.requestBody && JSON.stringify(BODIES[operation]!(world));
      const statuses = await Promise.all(
        FORGERIES.map(async ([name, forge], index) => {
          const authorization = forge(stolen());
          const headers = authorization === undefined ? {} : { Authorization: authorization };
          // One address has fewer requests in progress than there are forgeries.
          const call = { headers, from: `198.51.100.${index}` };
          const response = await app.send(route.method, pathTo(route, world), body, call);
          return [name, response.status, response.body.code];
        }),
      );

      const malformed = await app.send(route.method, pathTo(route, world), body && '{');

      expect(statuses).toEqual(FORGERIES.map(([name]) => [name, 401, 'UNAUTHORIZED']));
      expect(malformed.status).toBe(401);
      expect(malformed.headers.get('www-authenticate')).toBe('Bearer');
      expect(await everythingOf(app, world.user)).toEqual(before);
    },
  );
});
