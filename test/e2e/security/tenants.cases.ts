import type { HttpResponse } from '../../http-caller.js';
import { DESKTOP, type Developer, LAPTOP, NEW_PASSWORD, NOBODYS, PASSWORD } from '../developer.js';
import { everythingOf } from '../everything.js';
import { useApp } from '../use-app.js';
import { createWorld, orderOf, productOf, ROUTES, type World, type ApiRoute } from './world.js';

/**
 * Statuses other than 200, on routes that name no record, for a stranger who sends what they know about another user's
 * records.
 */
const WITHOUT_RECORD: Record<string, number> = {
  ...{ register: 201, inviteMember: 201, acceptInvitation: 201, createApiKey: 201 },
  ...{ createWebhook: 201, createPlan: 201 },
  ...{ logout: 204, changePassword: 204, endOtherSessions: 204, deleteConsoleSession: 204 },
  deletePortalSession: 204,
  // Without a challenge, an app that is being set up, PUBLIC_URL and a factor.
  ...{ loginWithFactor: 401, createConsoleSessionWithFactor: 401, confirmTotp: 403 },
  ...{ loginWithPasskey: 403, createConsoleSessionWithPasskey: 403, createLoginOptions: 409 },
  ...{ createConsoleSessionOptions: 409, createPasskeyOptions: 409, createPasskey: 409 },
  ...{ createRecoveryCodes: 404, stepUp: 204 },
  // Mail is off here, and nobody has such a link.
  ...{
    requestPasswordReset: 409,
    changeEmail: 409,
    testMailTemplate: 409,
    requestPortalLink: 409,
    confirmPasswordReset: 400,
    confirmEmail: 400,
  },
  // Without a cookie.
  ...{ refreshConsoleSession: 401, listCustomerLicenses: 401, releaseCustomerMachine: 401 },
  ...{ sendCustomerKey: 401 },
  // The one thing the specification lets users learn about each other.
  createClient: 409,
  createProject: 404,
  // It identifies no machine.
  listLicensesOfMachine: 400,
  // The key Eve names is Ada's current one.
  rotateSigningKeys: 409,
};
const snakeCase = (name: string) => name.replace(/[A-Z]/g, '_$&').toUpperCase();

describe(`S4: two users and ${ROUTES.length} routes`, () => {
  const app = useApp();
  let ada: World;
  /** Like Ada, but with a PENDING license. */
  let bob: World;
  let eve: World;
  /** Another account of hers, because changePassword changes the password of the first. */
  let second: Developer;
  let before: unknown;

  const everything = () => Promise.all([ada, bob].map(({ user }) => everythingOf(app, user)));

  beforeAll(async () => {
    ada = await createWorld(app);
    bob = await createWorld(app, { isActive: false });
    eve = await createWorld(app);
    second = await app.register();
    before = await everything();
  });

  /** A request by Eve with what she knows of Ada's records. */
  const send = (route: ApiRoute, target: World | string, query = '') => {
    const body = route.hasBody ? JSON.stringify(bodyOf(route)) : undefined;
    return app.send(route.method, route.pathTo(target) + query, body, eve.user);
  };
  const bodyOf = (route: ApiRoute) => {
    if (route.id === 'changeLicenses') return route.bodyOf(ada);
    const own = route.bodyOf(eve);
    if (route.id === 'createConsoleSession') return { email: second.email, password: PASSWORD };
    if (route.id === 'stepUp') return { password: NEW_PASSWORD };
    if (route.id === 'createProject') return { ...own, clientId: ada.client._id };
    if (route.id === 'rotateSigningKeys')
      return { password: NEW_PASSWORD, current: ada.signingKeys.current.kid };
    return route.id === 'createClient' ? { ...own, email: ada.client.email } : own;
  };
  const tracesIn = ({ body }: HttpResponse) => {
    const text = JSON.stringify(body) ?? '';
    const traces = [
      ...[ada.user._id, ada.user.email, ada.client._id, ada.client.email],
      ...[ada.project._id, ada.license._id, ada.license.key, ada.signingKeys.current.kid],
    ];
    return traces.filter((trace) => text.includes(trace));
  };

  it("404 for another user's record, ACTIVE or PENDING, as for one that does not exist", async () => {
    for (const route of ROUTES.filter(({ record }) => record)) {
      const code = `${snakeCase(route.record!)}_NOT_FOUND`;
      for (const target of [ada, bob, NOBODYS]) {
        const { status, body } = await send(route, target);
        expect([route.id, status, { ...body, requestId: '' }]).toEqual([
          ...[route.id, 404, { message: expect.any(String), code, requestId: '' }],
        ]);
      }
    }
  });

  it("reveals nothing about another user's records at the other routes", async () => {
    for (const route of ROUTES.filter((one) => !one.record)) {
      const response = await send(route, eve);

      const { status } = response;
      expect([route.id, status]).toEqual([route.id, WITHOUT_RECORD[route.id] ?? 200]);
      expect([route.id, tracesIn(response)]).toEqual([route.id, []]);
    }
  });

  it("shows nothing for another user's record in a filter, as for a missing one", async () => {
    const known: Record<string, string[]> = {
      clientId: [ada.client._id, NOBODYS],
      projectId: [ada.project._id, NOBODYS],
      product: [productOf(ada.user), 'globex-nobody'],
      externalId: [orderOf(ada.user), 'order-nobody'],
      search: [`globex ${ada.user._id}`, 'globex nobody'],
      machineId: [ada.machine, 'a'.repeat(64)],
      fingerprint: [LAPTOP, DESKTOP].map((one) => `${one}&projectId=${ada.project._id}`),
    };
    // One export at a time; its query matches the list's.
    const filters = ROUTES.filter((route) => !route.isExport).flatMap((route) =>
      route.parameters.map((name) => [name, route] as const),
    );
    expect(filters.filter(([name]) => name.endsWith('Id') && !known[name])).toEqual([]);
    const ofMachine = (route: ApiRoute) => route.id === 'listLicensesOfMachine';
    const isComplete = ([name, route]: (typeof filters)[number]) =>
      known[name] && !(ofMachine(route) && name === 'projectId');
    for (const [name, route] of filters.filter(isComplete)) {
      const [foreign, missing] = await Promise.all(
        known[name]!.map((value) => send(route, eve, `?${name}=${encodeURI(value)}`)),
      );
      expect([foreign!.status, foreign!.body.data]).toEqual([200, []]);
      expect(foreign!.body).toEqual(missing!.body);
    }
  });

  it("shows none of another user's records for that user's cursor", async () => {
    const lists = ROUTES.filter(
      (route) => !route.record && route.parameters.includes('cursor') && !WITHOUT_RECORD[route.id],
    );
    for (const route of lists) {
      const { nextCursor } = (await app.get(`${route.path}?limit=1`, ada.user)).body;
      expect(nextCursor).not.toBeNull();
      const response = await send(route, eve, `?cursor=${nextCursor}`);

      expect([response.status, tracesIn(response)]).toEqual([200, []]);
    }
  });

  it("has changed none of another user's records, and does not count them", async () => {
    expect(await everything()).toEqual(before);
    const { user } = await createWorld(app);
    const { licensesByStatus } = (await app.get('/dashboard/summary', user)).body;
    expect(licensesByStatus).toEqual({
      ...{ PENDING: 1, ACTIVE: 1, EXPIRED: 0, SUSPENDED: 0, REVOKED: 0 },
    });
  });
});
