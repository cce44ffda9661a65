import { FORGERIES, signAnew } from '../../builders/forged-tokens.js';
import { SECRETS } from '../../engines.js';
import { everythingOf } from '../everything.js';
import { useApp } from '../use-app.js';
import { BODIES, createWorld, idOf, pathTo, ROUTES, type World } from './world.js';

const PUBLIC = ROUTES.filter(({ operation }) => operation.security?.length === 0);
const AUTHENTICATED = ROUTES.filter((route) => !PUBLIC.includes(route));

describe(`S5: ${FORGERIES.length} wrong tokens, and ${AUTHENTICATED.length} authenticated routes`, () => {
  const app = useApp();
  let world: World;

  beforeAll(async () => {
    world = await createWorld(app);
  });

  const stolen = () => ({ ...world.user, secret: SECRETS.JWT_SECRET });

  it.each(FORGERIES)('401 for %s', async (_name, forge) => {
    const authorization = forge(stolen());
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const response = await app.get('/auth/me', { headers });

    expect([response.status, response.body.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('200 for a genuine token, also signed anew: the forgeries are wrong by what they change', async () => {
    for (const token of [world.user.token, signAnew(stolen())]) {
      expect((await app.get('/auth/me', { token })).status).toBe(200);
    }
  });

  it('401 at each authenticated route without a token, and for one of another deployment, before the body is read', async () => {
    expect(PUBLIC.map(idOf).sort()).toEqual([
      ...['activateLicense', 'createConsoleSession', 'deleteConsoleSession', 'getKeySet'],
      ...['getLiveness', 'getReadiness', 'getRegistration', 'login', 'logout', 'refresh'],
      ...['refreshConsoleSession', 'register', 'validateLicense'],
    ]);
    const before = await everythingOf(app, world.user);
    const forged = signAnew(stolen(), {}, { secret: 'another-key-for-signing-the-tokens' });
    for (const route of AUTHENTICATED) {
      const right = route.operation.requestBody && JSON.stringify(BODIES[idOf(route)]!(world));
      for (const [body, call] of [
        [right, {}],
        [right, { token: forged }],
        [right && '{', {}],
      ] as const) {
        const { status, body: error } = await app.send(
          route.method,
          pathTo(route, world),
          body,
          call,
        );
        expect([idOf(route), status, error.message]).toEqual([idOf(route), 401, 'Unauthorized']);
      }
    }
    expect(await everythingOf(app, world.user)).toEqual(before);
  });
});
