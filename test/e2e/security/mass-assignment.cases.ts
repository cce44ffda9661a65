import { COLLECTIONS } from '../../../src/collections.js';
import { readDocument } from '../../document/openapi-document.js';
import { everythingOf } from '../everything.js';
import { useApp } from '../use-app.js';
import { createWorld, propertiesOf, ROUTES_WITH_BODY, type World, type ApiRoute } from './world.js';

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

describe(`S3: ${FIELDS.size} fields, all that are stored, sent or shown, injected into ${ROUTES_WITH_BODY.length} writes`, () => {
  const app = useApp();

  const send = (route: ApiRoute, world: World, injected: object) => {
    const body = JSON.stringify({ ...injected, ...route.bodyOf(world) });
    return app.send(route.method, route.pathTo(world), body, world.user);
  };

  it.each(ROUTES_WITH_BODY.filter(({ method }) => method === 'POST').map((one) => [one.id, one]))(
    '%s drops them, and is done with its own',
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
    '%s rejects each by name, and changes nothing',
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
