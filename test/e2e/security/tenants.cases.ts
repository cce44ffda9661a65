import type { Route } from '../../document/openapi-document.js';
import { ENGINES } from '../../engines.js';
import type { HttpResponse } from '../../http-caller.js';
import { type Developer, NOBODYS, PASSWORD, registerDeveloper } from '../developer.js';
import { everythingOf } from '../everything.js';
import { useApp } from '../use-app.js';
import {
  BODIES,
  createWorld,
  idOf,
  pathTo,
  productOf,
  recordOf,
  ROUTES,
  type World,
} from './world.js';

/**
 * What the routes that name no record return to a stranger that sends what it knows of another user's
 * records: its own data, nothing, or that there is no such record.
 */
const WITHOUT_RECORD: Record<string, number> = {
  ...{ register: 201, login: 200, refresh: 200, logout: 204, changePassword: 204, getMe: 200 },
  getRegistration: 200,
  // Without a cookie.
  ...{ createConsoleSession: 200, refreshConsoleSession: 401, deleteConsoleSession: 204 },
  // The one thing that the specification lets users learn of each other.
  createClient: 409,
  createProject: 404,
  ...{ listClients: 200, listProjects: 200, listLicenses: 200, getDashboard: 200, getSummary: 200 },
  // The key that Eve names is the current one of Ada.
  ...{ getSigningKeys: 200, rotateSigningKeys: 409, getKeySet: 200 },
  ...{ activateLicense: 200, validateLicense: 200, getLiveness: 200, getReadiness: 200 },
};

describe.each(ENGINES)(`S4: two users and ${ROUTES.length} routes, on %s`, (engine) => {
  const app = useApp(engine);
  let ada: World;
  /** As Ada, but her license is PENDING. */
  let bob: World;
  let eve: World;
  /** Another account of hers: changePassword changes the password of the first. */
  let second: Developer;
  let before: unknown;

  beforeAll(async () => {
    ada = await createWorld(app);
    bob = await createWorld(app, { isActive: false });
    eve = await createWorld(app);
    second = await registerDeveloper(app);
    before = await everything();
  });
  afterEach(async () => expect(await everything()).toEqual(before));

  const everything = () => Promise.all([ada, bob].map(({ user }) => everythingOf(app, user)));

  /** A request of Eve's with what she knows of Ada's records. */
  const send = (route: Route, target: World | string, query = '', fields: object = {}) => {
    const body = route.operation.requestBody && { ...bodyOf(route), ...fields };
    const path = pathTo(route, target) + query;
    return app.send(route.method, path, body && JSON.stringify(body), eve.user);
  };
  const bodyOf = (route: Route) => {
    const own = BODIES[idOf(route)]!(eve);
    if (idOf(route) === 'createConsoleSession') return { email: second.email, password: PASSWORD };
    if (idOf(route) === 'createProject') return { ...own, clientId: ada.client._id };
    if (idOf(route) === 'rotateSigningKeys') return { current: ada.signingKeys.current.kid };
    return idOf(route) === 'createClient' ? { ...own, email: ada.client.email } : own;
  };
  const traces = () => [
    ...[ada.user._id, ada.user.email, ada.client._id, ada.client.email, `Globex ${ada.user._id}`],
    ...[ada.project._id, ada.license._id, ada.license.key, ada.signingKeys.current.kid],
  ];
  const tracesIn = ({ body }: HttpResponse) => {
    const text = JSON.stringify(body) ?? '';
    return traces().filter((trace) => text.includes(trace));
  };

  it('has a case for every route of the document', () => {
    const others = ROUTES.filter((route) => !recordOf(route)).map(idOf);

    expect(others.sort()).toEqual(Object.keys(WITHOUT_RECORD).sort());
  });

  it.each(ROUTES.filter(recordOf).map((route) => [idOf(route), route] as const))(
    "%s: 404 for another user's record, ACTIVE or PENDING, as for one that does not exist",
    async (_operation, route) => {
      const record = recordOf(route)!;
      for (const target of [ada, bob, NOBODYS]) {
        const { status, headers, body } = await send(route, target);

        expect(status).toBe(404);
        expect(body).toEqual({
          message: `${record[0]!.toUpperCase()}${record.slice(1)} not found`,
          code: `${record.toUpperCase()}_NOT_FOUND`,
          requestId: headers.get('x-request-id'),
        });
      }
    },
  );

  it.each(ROUTES.filter((route) => !recordOf(route)).map((route) => [idOf(route), route] as const))(
    "%s: tells nothing of another user's records",
    async (operation, route) => {
      const response = await send(route, eve);

      expect(response.status).toBe(WITHOUT_RECORD[operation]);
      expect(tracesIn(response)).toEqual([]);
    },
  );

  it.each(
    ROUTES.flatMap((route) =>
      (route.operation.parameters ?? [])
        .filter(({ name }) => name.endsWith('Id') || ['search', 'product'].includes(name))
        .map(({ name }) => [idOf(route), name, route] as const),
    ),
  )("%s?%s: shows nothing for another user's record", async (_operation, name, route) => {
    const known = {
      clientId: [ada.client._id, NOBODYS],
      projectId: [ada.project._id, NOBODYS],
      product: [productOf(ada.user), 'globex-nobody'],
      search: [`globex ${ada.user._id}`, 'globex nobody'],
    }[name]!;
    const [foreign, missing] = await Promise.all(
      known.map((value) => send(route, eve, `?${name}=${encodeURIComponent(value)}`)),
    );

    expect(foreign!.status).toBe(200);
    expect(foreign!.body.data).toEqual([]);
    expect(foreign!.body).toEqual(missing!.body);
  });

  it.each(
    ROUTES.filter(
      (route) =>
        !recordOf(route) && route.operation.parameters?.some(({ name }) => name === 'cursor'),
    ).map((route) => [idOf(route), route] as const),
  )("%s: shows nothing of another user's by that user's cursor", async (_operation, route) => {
    const { body } = await app.get(`${route.path}?limit=1`, ada.user);
    expect(body.nextCursor).not.toBeNull();
    const response = await send(route, eve, `?cursor=${body.nextCursor}`);

    expect(response.status).toBe(200);
    expect(tracesIn(response)).toEqual([]);
  });

  it("does not count another user's records", async () => {
    const { user } = await createWorld(app);
    const own = await everythingOf(app, user);
    const summary = await app.get('/dashboard/summary', user);

    expect(own.dashboard).toMatchObject({ clientsCount: 2, projectsCount: 2, licensesCount: 2 });
    expect(summary.body.licensesByStatus).toEqual({
      PENDING: 1,
      ACTIVE: 1,
      EXPIRED: 0,
      REVOKED: 0,
    });
  });

  it('401: tells nobody anything without a token', async () => {
    const routes = ROUTES.filter(({ operation }) => operation.security?.length);
    const responses = await Promise.all(
      routes.map((route) => app.send(route.method, pathTo(route, ada), undefined)),
    );

    expect(responses.map(({ status }) => status)).toEqual(routes.map(() => 401));
  });
});
