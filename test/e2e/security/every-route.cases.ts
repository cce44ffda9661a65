import { COLLECTIONS } from '../../../src/collections.js';
import { FORGERIES, signAnew } from './forged-tokens.js';
import { SECRETS } from '../../engines.js';
import { unknownKey } from '../developer.js';
import { everythingOf } from '../everything.js';
import { expectError } from '../expect-response.js';
import { useApp } from '../use-app.js';
import {
  type ApiRoute,
  createWorld,
  propertiesOf,
  ROUTES,
  ROUTES_WITH_BODY,
  type World,
} from './world.js';
import { readDocument } from '../../document/openapi-document.js';

// test/e2e/security/abuse-limits.cases.ts lists those that are public.
const AUTHENTICATED = ROUTES.filter(({ isPublic }) => !isPublic);

const LIMIT = 16 * 1024;
const JSON_TYPE = 'application/json';
const RIGHT = JSON.stringify({ key: unknownKey() });
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const withMore = (right: string, value: string) => right.replace(/\}$/, `,"more":${value}}`);

/** The fields of every kind of record that is stored, and of everything that is sent or shown. */
const FIELDS = new Set([
  ...COLLECTIONS.flatMap(({ fields }) => Object.keys(fields)),
  ...Object.keys(readDocument().components.schemas).flatMap(propertiesOf),
]);

/** An id that no other test sends: it is watched as a license key here. */
const AN_ID = 'fedcba9876543210fedcba98';
/** Long enough that no hash has it by chance. */
const A_COUNT = 9_099_099_099;

/** Values that would change something, and by which it would be found. */
const VALUES: Record<string, unknown> = {
  ...{ status: 'ACTIVE', duration: 12, email: `${AN_ID}@example.com` },
  ...{ termMonths: A_COUNT, count: A_COUNT },
  ...{ clientsCount: A_COUNT, projectsCount: A_COUNT, licensesCount: A_COUNT },
};
const INJECTED = new RegExp(`${AN_ID}|${A_COUNT}|2099-01-01`);

/** Every field that is not one of the route's own. */
function injectedInto(route: ApiRoute): Record<string, unknown> {
  // A batch rejects the id of one license.
  const own = [...route.fields, ...(route.id === 'createLicenses' ? ['externalId'] : [])];
  const names = [...FIELDS].filter((name) => !own.includes(name));
  const valueOf = (name: string) =>
    VALUES[name] ?? (/(At|Start)$/.test(name) ? '2099-01-01T00:00:00.000Z' : AN_ID);
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

describe(`Each of ${ROUTES.length} routes`, () => {
  const app = useApp();
  let world: World;
  let before: unknown;

  beforeAll(async () => {
    world = await createWorld(app);
    before = await everythingOf(app, world.user);
  });
  // Nothing of what is rejected here is done.
  afterAll(async () => expect(await everythingOf(app, world.user)).toEqual(before));

  const bodyOf = (route: ApiRoute) =>
    route.hasBody ? JSON.stringify(route.bodyOf(world)) : undefined;
  const stolen = () => ({ ...world.user, secret: SECRETS.JWT_SECRET });

  it('S5: is public, or 401 without a token and for one of another deployment, before the body is read', async () => {
    const forged = signAnew(stolen(), {}, { secret: 'another-key-for-signing-the-tokens' });
    for (const route of AUTHENTICATED) {
      for (const [body, call] of [
        [bodyOf(route), { token: forged }],
        [route.hasBody ? '{' : undefined, {}],
      ] as const) {
        const response = await app.send(route.method, route.pathTo(world), body, call);
        expect([route.id, response.status]).toEqual([route.id, 401]);
        expect(response.headers.get('www-authenticate')).toBe('Bearer');
      }
    }
  });

  it(`S5: rejects ${FORGERIES.length} wrong tokens, which are wrong by what they change`, async () => {
    for (const [name, forge] of FORGERIES) {
      const authorization = forge(stolen());
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      expect([name, (await app.get('/auth/me', { headers })).status]).toEqual([name, 401]);
    }
    expect((await app.get('/auth/me', { token: signAnew(stolen()) })).status).toBe(200);
    expect((await app.get('/health/live', { token: 'nonsense' })).status).toBe(200);
  });

  it('400: rejects a query field that is not declared by its name', async () => {
    for (const route of ROUTES) {
      const path = `${route.pathTo(world)}?pagee=2`;
      const response = await app.send(route.method, path, bodyOf(route), world.user);

      expect([route.id, response.status, response.body]).toEqual([
        ...[route.id, 400],
        {
          ...route.marker,
          ...{ message: 'Validation error', code: 'VALIDATION_ERROR' },
          errors: { pagee: ['property pagee should not exist'] },
          details: 'property pagee should not exist.',
          requestId: response.headers.get('x-request-id'),
        },
      ]);
    }
  });

  // Every form of malformed JSON has its case in src/http/input.guard.spec.ts.
  it.each<[string, number, string, (right: string) => string, string?]>([
    ['16 KiB and a byte', 413, 'BODY_TOO_LARGE', (right) => right.padEnd(LIMIT + 1)],
    ['17 levels', 400, 'BODY_TOO_DEEP', (right) => withMore(right, nested(16))],
    ['an unfinished object', 400, 'MALFORMED_JSON', (right) => right.slice(0, -1)],
    ['an array', 400, 'VALIDATION_ERROR', (right) => `[${right}]`],
    ['text', 415, 'UNSUPPORTED_MEDIA_TYPE', (right) => right, 'text/plain'],
    ['a form', 415, 'UNSUPPORTED_MEDIA_TYPE', (right) => right, 'multipart/form-data; boundary=x'],
  ])('S13: rejects %s with %i %s', async (_wrong, status, code, wrong, type = JSON_TYPE) => {
    for (const route of ROUTES_WITH_BODY) {
      const call = { token: world.user.token, headers: { 'Content-Type': type } };
      const body = wrong(bodyOf(route)!);
      const response = await app.send(route.method, route.pathTo(world), body, call);
      expectError(response, [status, code], route.marker);
    }
  });

  it.each([
    ['exactly 16 KiB', RIGHT.padEnd(LIMIT), JSON_TYPE],
    ['JSON with a charset', RIGHT, `${JSON_TYPE}; charset=utf-8`],
  ])('S13: accepts a body that is %s', async (_right, body, type) => {
    const response = await app.send('POST', '/validate', body, {
      headers: { 'Content-Type': type },
    });
    expect(response.status).toBe(200);
  });

  const send = (route: ApiRoute, world: World, injected: object) => {
    const body = JSON.stringify({ ...injected, ...route.bodyOf(world) });
    return app.send(route.method, route.pathTo(world), body, world.user);
  };

  it.each(ROUTES_WITH_BODY.filter(({ method }) => method === 'POST').map((one) => [one.id, one]))(
    `S3: %s drops each of ${FIELDS.size} fields that are stored, sent or shown and not its own, and is done`,
    async (operation, route) => {
      // What activates needs a PENDING license, and what renews an ACTIVE one.
      const isActive = !['activateLicense', 'issueCertificate'].includes(operation);
      const world = await createWorld(app, { isActive });
      const { status, body } = await send(route, world, injectedInto(route));
      const token = body?.accessToken ?? world.user.token;

      expect(status).toBeLessThan(300);
      expect(JSON.stringify(body) ?? '').not.toMatch(INJECTED);
      expect(JSON.stringify(await everythingOf(app, { token }))).not.toMatch(INJECTED);
    },
  );

  it.each(ROUTES_WITH_BODY.filter(({ method }) => method !== 'POST').map((one) => [one.id, one]))(
    `S3: %s rejects each of ${FIELDS.size} fields that is not its own by name, and changes nothing`,
    async (_operation, route) => {
      const world = await createWorld(app);
      const before = await everythingOf(app, world.user);
      const injected = injectedInto(route);
      const response = await send(route, world, injected);

      expect(response.status).toBe(400);
      expect(Object.keys(response.body.errors as object)).toEqual(Object.keys(injected));
      expect(await everythingOf(app, world.user)).toEqual(before);
    },
  );
});
