import { COLLECTIONS } from '../../../src/collections.js';
import type { Route } from '../../document/openapi-document.js';
import { NOBODYS, PASSWORD } from '../developer.js';
import { everythingOf } from '../everything.js';
import { normal } from '../normal.js';
import { useApp } from '../use-app.js';
import {
  BODIES,
  createWorld,
  fieldsOf,
  idOf,
  pathTo,
  propertiesOf,
  ROUTES_WITH_BODY,
  type World,
} from './world.js';

/** The fields of every kind of record that is stored, and of what is shown of them. */
const STORED = new Set([
  ...COLLECTIONS.flatMap(({ fields }) => Object.keys(fields)),
  ...['ClientDto', 'ProjectDto', 'LicenseDto', 'UserDto', 'LicenseEventDto'].flatMap(propertiesOf),
]);
const VALUES: Record<string, unknown> = {
  status: 'ACTIVE',
  duration: 12,
  services: ['Hosting', 'Domain'],
  ...{ termMonths: 120, count: 99, projectsCount: 99, licensesCount: 99, clientsCount: 99 },
  email: 'injected@example.com',
};

/** Every stored field that is not one of the route's own, with a value that would change something. */
function injectedInto(route: Route): Record<string, unknown> {
  const own = fieldsOf(route);
  const names = [...STORED].filter((name) => !own.includes(name));
  return Object.fromEntries(
    names.map((name) => [
      name,
      VALUES[name] ?? (/(At|Start)$/.test(name) ? '2099-01-01T00:00:00.000Z' : NOBODYS),
    ]),
  );
}

const POSTS = ROUTES_WITH_BODY.filter(({ method }) => method === 'POST');
const OTHERS = ROUTES_WITH_BODY.filter(({ method }) => method !== 'POST');

describe(`S3: ${STORED.size} stored fields injected into ${ROUTES_WITH_BODY.length} writes`, () => {
  const app = useApp();

  const send = (route: Route, world: World, injected: object) => {
    const body = JSON.stringify({ ...injected, ...BODIES[idOf(route)]!(world) });
    return app.send(route.method, pathTo(route, world), body, world.user);
  };
  /** The response to a write, and all that its user can read afterwards. */
  const outcomeOf = async (route: Route, world: World, injected: object) => {
    const { status, body } = await send(route, world, injected);
    const token = body?.accessToken ?? world.user.token;
    return { status, body, everything: await everythingOf(app, { token }) };
  };

  it.each(POSTS.map((route) => [idOf(route), route] as const))(
    '%s drops them: it does what it does without them',
    async (operation, route) => {
      // What activates needs a PENDING license, and what renews an ACTIVE one.
      const isActive = !['activateLicense', 'issueCertificate'].includes(operation);
      const worlds = [await createWorld(app, { isActive }), await createWorld(app, { isActive })];
      app.clock.advance({ seconds: 1 });
      const plain = await outcomeOf(route, worlds[0]!, {});
      const injected = await outcomeOf(route, worlds[1]!, injectedInto(route));

      expect(injected.status).toBeLessThan(300);
      expect(JSON.stringify(injected)).not.toContain(NOBODYS);
      expect(normal(injected)).toEqual(normal(plain));
    },
  );

  it.each(OTHERS.map((route) => [idOf(route), route] as const))(
    '%s rejects each by name, and changes nothing',
    async (_operation, route) => {
      const world = await createWorld(app);
      const before = await everythingOf(app, world.user);
      const injected = injectedInto(route);
      const responses = await Promise.all([
        send(route, world, injected),
        ...Object.entries(injected).map(([name, value]) => send(route, world, { [name]: value })),
      ]);

      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 400));
      expect(responses.map(({ body }) => Object.keys(body.errors))).toEqual([
        Object.keys(injected),
        ...Object.keys(injected).map((name) => [name]),
      ]);
      expect(await everythingOf(app, world.user)).toEqual(before);
    },
  );

  it('leaves the password of a new account, and of one that logs in, as it was given', async () => {
    const email = 'injected-password@example.com';
    const account = { name: 'Eve', email, password: PASSWORD };
    const passwordHash = `hash of ${NOBODYS}`;
    await app.post('/auth/register', { ...account, passwordHash });
    await app.post('/auth/login', { ...account, passwordHash });

    expect((await app.post('/auth/login', { ...account, password: NOBODYS })).status).toBe(401);
    expect((await app.post('/auth/login', account)).status).toBe(200);
  });
});
