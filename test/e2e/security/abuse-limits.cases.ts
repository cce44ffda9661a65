import { randomUUID } from 'node:crypto';
import type { HttpResponse } from '../../http-caller.js';
import {
  atOnce,
  countsOf,
  expectError,
  rateLimitOf,
  rejectionOf,
  statusesOf,
  visible,
} from '../responses.js';
import { type Developer, LAPTOP, NOBODYS, PASSWORD, unknownKey } from '../developer.js';
import { useApp } from '../use-app.js';
import { ROUTES, type World } from './world.js';

describe('S21: the writes of an account', () => {
  const app = useApp({ WRITE_LIMIT: '4' });

  const write = ({ token }: Developer, from = '203.0.113.1') =>
    app.patch(`/clients/${NOBODYS}`, {}, { token, from });

  it('are limited across addresses on every write, before reading the body, until the window ends; others are not affected', async () => {
    const [eve, ada] = [await app.register(), await app.register()];
    // A request without a valid token is a 401, and does not count.
    expect((await write({ ...eve, token: `${eve.token}x` })).status).toBe(401);
    expect(rejectionOf(await write(eve))).toEqual([404, '4', '3', '60', null]);
    app.clock.advance({ seconds: 10 });
    for (let i = 0; i < 3; i++) await write(eve, `203.0.113.${i}`);

    for (const route of ROUTES) {
      if (route.method === 'GET' || route.isPublic) continue;
      const path = `${route.pathTo(NOBODYS)}?unknown=1`;
      const rejected = await app.send(route.method, path, route.hasBody ? '{' : undefined, eve);
      expect([route.id, ...rejectionOf(rejected)]).toEqual([
        ...[route.id, 429, '4', '0', '50', '50'],
      ]);
    }
    expect((await app.get('/clients', eve)).status).toBe(200);
    expect(rateLimitOf(await write(ada))).toEqual(['4', '3', '60']);
    app.clock.advance({ seconds: 50 });
    expect((await write(eve)).status).toBe(404);
  });
});

describe("S21: probing for other accounts' clients and members", () => {
  const app = useApp({ GUESS_LIMIT: '1' });

  it('reveals only as many addresses an hour as the limit allows, and then none, taken or not; other accounts are not affected', async () => {
    const [ada, eve, bob] = [await app.register(), await app.register(), await app.register()];
    const victims: string[] = [];
    for (let i = 0; i < 3; i++) victims.push((await app.createClient(ada)).email);
    const create = ({ token }: Developer, email: string, key?: string) => {
      const headers = key ? { 'Idempotency-Key': key } : undefined;
      return app.post('/clients', { name: 'Acme', email }, { token, ...(headers && { headers }) });
    };
    const free = () => `${randomUUID()}@free.test`;
    const own = await app.createClient(eve);
    const change = (fields: object) => app.patch(`/clients/${own._id}`, fields, eve);
    const first = await create(eve, free(), 'before');
    const invite = (email: string) => app.invite(eve, 'viewer', email);
    const told = [
      await create(eve, victims[0]!),
      await change({ email: victims[1] }),
      await invite(ada.email),
    ];
    expect(statusesOf(told)).toEqual([409, 409, 409]);

    const [taken, open] = [await create(eve, victims[2]!), await create(eve, free())];
    expect(rejectionOf(open)).toEqual([429, expect.anything(), '0', '3600', '3600']);
    expect(visible(taken)).toEqual(visible(open));
    const addresses = [victims[2]!, free()];
    for (const email of addresses) expect((await change({ email })).status).toBe(429);
    for (const email of [bob.email, free()]) expect((await invite(email)).status).toBe(429);
    // A repeat of an earlier creation still gets its response, and names are not addresses.
    const { email } = first.body.client;
    expect((await create(eve, email as string, 'before')).body).toEqual(first.body);
    expect((await change({ name: 'Initech' })).status).toBe(200);
    expect((await create(bob, victims[0]!)).status).toBe(409);
    app.clock.advance({ seconds: 3600 });
    expect((await create(await app.logIn(eve), victims[2]!)).status).toBe(409);
  });
});

describe('S21: the routes that take a license key', () => {
  const app = useApp({ GUESS_LIMIT: '2' });
  const routes = ROUTES.filter((route) => route.fields.includes('key') && route.isPublic);

  it.each(routes.map(({ path }) => path))(
    '%s lets an address try 4 unknown keys in 15 minutes, any number of times; then all routes reject other unknown keys, but no license',
    async (path) => {
      const floating = { leaseSeconds: 3600, release: 'self' };
      const license = await app.createLicense(await app.register(), floating);
      await app.activate(license, LAPTOP);
      const from = `203.0.113.${routes.findIndex((route) => route.path === path)}`;
      const send = (key: string, to = path) => app.post(to, { key, fingerprint: LAPTOP }, { from });
      const tried: HttpResponse[] = [];
      for (const i of [1, 2, 1, 3, 4, 2]) tried.push(await send(unknownKey(i)));
      expect(statusesOf(tried)).toEqual(Array(6).fill(tried[0]!.status));
      for (const { path: other } of routes) {
        const rejected = await send(unknownKey(5), other);
        expect(rejectionOf(rejected)).toEqual([429, '4', '0', '900', '900']);
        expect(visible(await send('no key', other))).toEqual(visible(rejected));
        expect((await send(license.key, '/validate/activate')).status).toBe(200);
        expect((await send(license.key, other)).status).toBe(200);
      }
      app.clock.advance({ seconds: 900 });
      const guesses = await atOnce(9, (i) => send(unknownKey(10 + i)));
      expect(statusesOf(guesses).filter((status) => status !== 429)).toHaveLength(4);
    },
  );
});

const QUOTAS = { clients: 7, projects: 6, licenses: 9 };
const TERMS = { duration: 6, services: ['Hosting'] };

describe('S21: concurrent creations', () => {
  const app = useApp({
    REGISTRATION: 'first',
    ...{ CLIENT_QUOTA: String(QUOTAS.clients), PROJECT_QUOTA: String(QUOTAS.projects) },
    LICENSE_QUOTA: String(QUOTAS.licenses),
  });

  it('register one first account out of 20, and never exceed its quotas with 32 concurrent requests', async () => {
    const registrations = await atOnce(20, (i) => {
      const account = { name: 'Ada', email: `${i % 10}@studio.example`, password: PASSWORD };
      return app.post('/auth/register', account);
    });
    expect(countsOf(registrations)).toEqual({ 201: 1, REGISTRATION_CLOSED: 19 });
    const { user, accessToken } = registrations.find(({ status }) => status === 201)!.body;
    const ada = { ...user, token: accessToken as string };
    const create = async (
      quota: number,
      code: string,
      send: (i: number) => Promise<HttpResponse>,
    ) => {
      const responses = await atOnce(32, send);
      expect(countsOf(responses)).toEqual({ 201: quota, [code]: 32 - quota });
      return responses.find(({ status }) => status === 201)!.body;
    };
    const { client } = await create(QUOTAS.clients, 'CLIENT_QUOTA_REACHED', (i) =>
      app.post('/clients', { name: 'Acme', email: `${i}@acme.example` }, ada),
    );
    const taken = await app.post('/clients', { name: 'Acme', email: client.email }, ada);
    expectError(taken, 'CLIENT_EMAIL_TAKEN');
    const project = { clientId: client._id, projectName: 'Shop', ...TERMS };
    const { license } = await create(QUOTAS.projects, 'PROJECT_QUOTA_REACHED', () =>
      app.post('/projects/createProject', project, ada),
    );
    const left = QUOTAS.licenses - QUOTAS.projects;
    await create(left, 'LICENSE_QUOTA_REACHED', () =>
      app.post(`/projects/${license.project}/licenses`, TERMS, ada),
    );
    const reissue = await app.post(`/licenses/${license._id}/reissue`, {}, ada);
    expectError(reissue, 'LICENSE_QUOTA_REACHED');

    expect((await app.get('/dashboard', ada)).body).toMatchObject({
      clientsCount: QUOTAS.clients,
      ...{ projectsCount: QUOTAS.projects, licensesCount: QUOTAS.licenses },
    });
  });
});

// test/deployed-files.spec.ts compares the limits of a new deployment.
describe('S21: the public routes', () => {
  /** The requests each route accepts from an address, and the seconds until it accepts more. */
  const LIMITS: Record<string, [requests: number, seconds: number]> = {
    ...{ activateLicense: [2, 900], validateLicense: [4, 900], sendHeartbeat: [4, 900] },
    ...{ releaseMachine: [4, 900], register: [2, 3600], acceptInvitation: [2, 3600] },
    ...{ login: [2, 900], createConsoleSession: [2, 900], refresh: [2, 60], logout: [2, 60] },
    ...{ refreshConsoleSession: [2, 60], deleteConsoleSession: [2, 60] },
    ...{ requestPasswordReset: [2, 3600], confirmPasswordReset: [2, 3600] },
    ...{ confirmEmail: [2, 3600], requestPortalLink: [2, 3600] },
    ...{ getRegistration: [2, 60], getKeySet: [10, 60], getPortalPage: [2, 60] },
    ...{ createPortalSession: [2, 60], deletePortalSession: [2, 60] },
    sendCustomerKey: [2, 60],
    ...{ listCustomerLicenses: [2, 60], releaseCustomerMachine: [2, 60] },
    ...{ loginWithFactor: [2, 900], createConsoleSessionWithFactor: [2, 900] },
    ...{ loginWithPasskey: [2, 900], createConsoleSessionWithPasskey: [2, 900] },
    ...{ createLoginOptions: [2, 60], createConsoleSessionOptions: [2, 60] },
  };
  /** Health checks are sampled, not limited. */
  const UNLIMITED = ['getLiveness', 'getReadiness'];
  const PUBLIC = ROUTES.filter(({ isPublic }) => isPublic);
  const LOGIN = { email: 'nobody@studio.example', password: PASSWORD };
  const app = useApp({
    ...{ ACTIVATION_LIMIT: '2', GUESS_LIMIT: '2', ADDRESS_LIMIT: '2', REGISTER_LIMIT: '2' },
  });

  it('each have a limit', () => {
    expect([...Object.keys(LIMITS), ...UNLIMITED].sort()).toEqual(
      PUBLIC.map(({ id }) => id).sort(),
    );
  });

  it.each(Object.entries(LIMITS))(
    '%s stops at its limit for an address, but not for another address',
    async (operation, [requests, seconds]) => {
      const route = PUBLIC.find(({ id }) => id === operation)!;
      const send = (i: number, from: string): Promise<HttpResponse> => {
        const guess = { refreshToken: 'nonsense', key: unknownKey(i), fingerprint: LAPTOP };
        const isLogin = /^(login|createConsoleSession)$/.test(operation);
        const isFactor = /With(Factor|Passkey)$/.test(operation);
        const body = isLogin ? LOGIN : isFactor ? route.bodyOf({} as World) : guess;
        const sent = route.hasBody ? JSON.stringify(body) : undefined;
        return app.send(route.method, route.pathTo(NOBODYS), sent, { from });
      };
      const number = Object.keys(LIMITS).indexOf(operation);
      const responses: HttpResponse[] = [];
      for (let i = 0; i <= requests; i++) responses.push(await send(i, `203.0.113.${number}`));
      const [{ status }] = responses as [HttpResponse];

      expect(statusesOf(responses)).toEqual([...Array(requests).fill(status), 429]);
      expect(responses.at(-1)!.headers.get('retry-after')).toBe(String(seconds));
      expect((await send(0, `198.51.100.${number}`)).status).toBe(status);
    },
  );
});
