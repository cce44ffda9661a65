import { TestApp } from '../app.js';
import { DESKTOP, LAPTOP, NEW_PASSWORD, NOBODYS, PASSWORD, unknownKey } from './developer.js';
import { EVERY_ENGINE } from '../engines.js';
import { START } from '../fake-clock.js';
import { findRoute } from '../document/find-route.js';
import { deliveriesOf, driveUntil, verified } from './webhooks/drive.js';
import { type Receiver, useReceiver } from './webhooks/receiver.js';
import { normal } from './normal.js';
import { ROUTES } from './security/world.js';

/** Each request with its response, in order. */
export type Journey = [request: string, status: number, body: unknown][];

/** A user's way through every operation, which expects the status of each response. */
export class Traveller {
  readonly journey: Journey = [];
  token: string | undefined;

  constructor(private readonly app: TestApp) {}

  /** @param expected its status, and the code of its error */
  async expect(
    expected: number | `${number} ${string}`,
    request: string,
    body?: object,
    headers: Record<string, string> = {},
  ) {
    const [method, path] = request.split(' ') as [string, string];
    // Records of one time are in the order of their ids, which is another one each time.
    this.app.clock.advance({ seconds: 1 });
    const response = await this.app.send(method, path, body && JSON.stringify(body), {
      ...(this.token && { token: this.token }),
      headers,
    });
    const { status, body: received } = response;
    this.journey.push([request.replace(/cursor=.*/, 'cursor'), status, received]);
    const outcome = status < 400 ? status : `${status} ${received.code}`;
    expect([request, outcome]).toEqual([request, expected]);
    return received;
  }

  /** Follows a list to its end. */
  async pages(path: string): Promise<unknown[]> {
    const all: unknown[] = [];
    let cursor = '';
    for (;;) {
      const { data, nextCursor } = await this.expect(200, `GET ${path}${cursor}`);
      all.push(...(data as unknown[]));
      if (nextCursor === null) return all;
      cursor = `&cursor=${nextCursor}`;
    }
  }
}

/** The part of the journey that is about members, API keys and sessions. */
export async function useAccess(user: Traveller): Promise<void> {
  const grace = { email: 'grace@studio.example', role: 'support' };
  const { invitation } = await user.expect(201, 'POST /members', grace);
  const joining = { invitation: invitation as string, name: 'Grace', password: PASSWORD };
  const joined = await user.expect(201, 'POST /auth/invitations/accept', joining);
  await user.expect('400 INVALID_INVITATION', 'POST /auth/invitations/accept', joining);
  await user.expect(200, `PATCH /members/${joined.user._id}`, { role: 'viewer' });
  await user.expect(200, 'GET /members');
  await user.expect(200, `DELETE /members/${joined.user._id}`);
  const newKey = { name: 'Checkout', scopes: ['licenses:read'] };
  const { apiKey, secret } = await user.expect(201, 'POST /api-keys', newKey);
  const owner = user.token;
  user.token = secret as string;
  await user.expect(200, 'GET /licenses?limit=2');
  user.token = owner;
  await user.expect(200, 'GET /api-keys');
  await user.expect(204, `DELETE /api-keys/${apiKey._id}`);
  const { data: sessions } = await user.expect(200, 'GET /auth/sessions');
  const other = (sessions as { _id: string; current: boolean }[]).find(({ current }) => !current);
  await user.expect(204, `DELETE /auth/sessions/${other!._id}`);
  await user.expect(204, 'DELETE /auth/sessions');
}

const TERMS = { duration: 6, services: ['Hosting'] };

async function travel(app: TestApp, receiver: Receiver): Promise<Journey> {
  const user = new Traveller(app);
  const ada = { name: 'Ada', email: 'ada@studio.example', password: PASSWORD };

  // An account and its sessions. The errors and filters of what 0.5 had are in test/e2e/recorded, on both engines.
  await user.expect(200, 'GET /auth/registration');
  await user.expect(201, 'POST /auth/register', ada);
  const login = await user.expect(200, 'POST /auth/login', ada);
  const refreshed = await user.expect(200, 'POST /auth/refresh', login);
  user.token = (await user.expect(200, 'POST /auth/login', ada)).accessToken as string;
  await user.expect(200, 'GET /auth/me');
  await user.expect(200, 'POST /console/session', ada);
  await user.expect('401 INVALID_REFRESH_TOKEN', 'POST /console/session/refresh');
  await user.expect(204, 'DELETE /console/session');
  for (const state of ['live', 'ready']) await user.expect(200, `GET /health/${state}`);

  // Clients and projects, and their lists.
  const acme = { name: 'Acme', email: 'a@acme.example' };
  const once = { 'Idempotency-Key': 'client' };
  const { client } = await user.expect(201, 'POST /clients', acme, once);
  await user.expect(201, 'POST /clients', acme, once);
  const office = { name: 'Globex', email: 'g@x.example' };
  const { client: globex } = await user.expect(201, 'POST /clients', office);
  await user.expect(200, `GET /clients/${globex._id}`);
  await user.expect(200, `PATCH /clients/${globex._id}`, { email: 'office@globex.example' });
  expect(await user.pages('/clients?limit=1')).toHaveLength(2);
  const shop = { clientId: client._id as string, projectName: 'Shop', product: 'shop', ...TERMS };
  const { project, license } = await user.expect(201, 'POST /projects/createProject', shop);
  const wiki = await user.expect(201, 'POST /projects/createProject', {
    ...{ clientId: globex._id as string, projectName: 'Wiki', duration: 1, services: ['Domain'] },
  });
  await user.expect(200, `GET /projects/${wiki.project._id}`);
  await user.expect(200, `PATCH /projects/${wiki.project._id}`, { name: 'Wikis', product: 'wiki' });
  expect(await user.pages('/projects?limit=1')).toHaveLength(2);
  const path = `/projects/${project._id}/licenses`;
  const { license: second } = await user.expect(201, `POST ${path}`, TERMS);

  // Shipped software.
  const check = { key: license.key as string, fingerprint: LAPTOP, product: 'shop' };
  await user.expect(200, 'POST /validate', check);
  await user.expect(200, 'POST /validate/activate', check);
  await user.expect(200, 'POST /validate', { ...check, certificate: true });
  await user.expect(200, 'POST /validate/activate', { key: wiki.license.key });
  for (const outcome of [200, 200, '429 TOO_MANY_REQUESTS'] as const) {
    await user.expect(outcome, 'POST /validate', { key: unknownKey(user.journey.length) });
  }

  // Plans.
  const trial = { name: 'Trial', days: 14, services: ['Hosting'], oncePerMachine: true };
  const { plan } = await user.expect(201, 'POST /plans', trial);
  await user.expect(200, `PATCH /plans/${plan._id}`, { name: 'Trial of 14 days' });
  await user.expect(200, `GET /plans/${plan._id}`);
  expect(await user.pages('/plans?limit=1')).toHaveLength(1);
  const { license: tried } = await user.expect(201, `POST ${path}`, { plan: plan._id as string });
  const trying = { key: tried.key as string, fingerprint: LAPTOP };
  await user.expect(200, 'POST /validate/activate', trying);
  await user.expect(204, `DELETE /plans/${plan._id}`);
  await user.expect(200, `POST /licenses/${tried._id}/revoke`, {});

  // Batches, and look-up by key.
  await user.expect(201, `POST ${path}/batch`, { ...TERMS, count: 2 });
  await user.expect(200, 'POST /licenses/lookup', { key: license.key as string });

  await user.expect(200, 'POST /search', { q: 'SHO' });

  await user.expect(200, 'GET /licenses.csv?status=EXPIRED');

  // Floating licenses.
  const team = { ...TERMS, maxMachines: 2, leaseSeconds: 3600, release: 'self' };
  const { license: floating } = await user.expect(201, `POST ${path}`, {
    ...{ ...team, entitlements: ['b', 'a'], metadata: { seller: 'Miriam' }, externalId: 'order-1' },
  });
  const seat = { key: floating.key as string, fingerprint: LAPTOP };
  await user.expect(200, 'POST /validate/activate', { ...seat, machineName: 'Desk 1' });
  await user.expect(200, 'POST /validate/heartbeat', {
    ...{ ...seat, fingerprint: DESKTOP, product: 'shop', certificate: true },
  });
  await user.expect('403 MACHINE_LIMIT_REACHED', 'POST /validate/heartbeat', {
    ...{ ...seat, fingerprint: 'tablet-of-the-customer' },
  });
  await user.expect(200, 'POST /validate/release', seat);
  await user.expect(200, 'POST /validate', seat);
  const { data: machines } = await user.expect(200, `GET /licenses/${floating._id}/machines`);
  const [{ machineId }] = machines as [{ machineId: string }];
  await user.expect(200, `PATCH /licenses/${floating._id}`, { leaseSeconds: null, metadata: {} });
  await user.expect(204, `DELETE /licenses/${floating._id}/machines/${machineId}`);
  await user.expect(200, `POST /licenses/${floating._id}/suspend`);
  await user.expect('403 LICENSE_SUSPENDED', 'POST /validate/activate', seat);
  await user.expect(200, 'POST /validate', seat);
  await user.expect(200, `POST /licenses/${floating._id}/resume`);
  await user.expect(200, `POST /licenses/${floating._id}/renew`, { perpetual: true });
  await user.expect(200, `POST /licenses/${floating._id}/revoke`, {});

  // Certificates and signing keys.
  const machine = { fingerprint: DESKTOP, product: 'shop', days: 30 };
  await user.expect(201, `POST /licenses/${second._id}/certificates`, machine);
  const { current, issuer } = await user.expect(200, 'GET /signing-keys');
  const rotation = { current: current.kid, password: PASSWORD };
  await user.expect(200, 'POST /signing-keys/rotate', rotation);
  await user.expect(200, `GET /keys/${issuer}`);

  // Changes of licenses, and what became of them.
  await user.expect(200, `POST /licenses/${license._id}/renew`, { duration: 3 });
  const reissue = await user.expect(201, `POST /licenses/${second._id}/reissue`, {});
  await user.expect(200, `POST /licenses/${license._id}/revoke`, { reason: 'Unpaid' });
  app.clock.set('2026-03-01T00:00:00.000Z');
  user.token = (await user.expect(200, 'POST /auth/login', ada)).accessToken as string;
  await user.expect(200, 'POST /validate', { key: wiki.license.key });
  for (const { _id } of [license, second, wiki.license]) {
    await user.expect(200, `GET /licenses/${_id}`);
    await user.pages(`/licenses/${_id}/events?limit=2`);
  }
  await user.pages('/events?limit=9');
  await user.expect(200, 'GET /events.ndjson');
  for (const [filter, count] of [
    ['', 8],
    ['&status=REVOKED&sort=expiresAt', 4],
    ['&expiresBefore=2026-03-01T00:00:00Z', 2],
    ['&entitlement=b', 1],
    ['&externalId=order-1', 1],
    ['&expiresAfter=2026-03-01T00:00:00Z', 3],
  ] as const) {
    const { length } = await user.pages(`/licenses?limit=1${filter}`);
    expect([filter, length]).toEqual([filter, count]);
  }
  expect(await user.pages('/dashboard?limit=1')).toHaveLength(2);
  await user.expect(200, `GET /dashboard?clientId=${client._id}`);
  await user.expect(200, 'GET /dashboard/summary?days=40');

  await useAccess(user);

  // Webhooks: a change of a license arrives at one, and its delivery is listed.
  const hook = { url: `${receiver.url}/hook`, types: ['license.updated'] };
  const { webhook, secret } = await user.expect(201, 'POST /webhooks', hook);
  const hookPath = `/webhooks/${webhook._id}`;
  await user.expect('400 VALIDATION_ERROR', 'POST /webhooks', { ...hook, url: 'https://[::1]/' });
  await user.expect(200, 'GET /webhooks');
  await user.expect(200, `PATCH ${hookPath}`, { description: 'Orders' });
  await user.expect(200, `GET ${hookPath}`);
  const more = { maxMachines: 2 };
  const { license: shown } = await user.expect(200, `PATCH /licenses/${reissue.license._id}`, more);
  delete shown.key;
  await driveUntil(app, async () => {
    const [delivery] = await deliveriesOf(app, { token: user.token! }, webhook);
    return delivery?.status === 'delivered';
  });
  expect(receiver.arrived).toHaveLength(1);
  expect(verified(app, secret, receiver.arrived[0]!)).toMatchObject({
    ...{ type: 'license.updated', data: { license: shown } },
  });
  const { data: deliveries } = await user.expect(200, `GET ${hookPath}/deliveries`);
  expect(deliveries).toMatchObject([{ status: 'delivered', attempts: 1, responseStatus: 204 }]);
  const redelivery = `POST ${hookPath}/deliveries/${NOBODYS}/redeliver`;
  await user.expect('404 DELIVERY_NOT_FOUND', redelivery);
  await user.expect(200, `POST ${hookPath}/rotate-secret`, {});
  await user.expect(202, `POST ${hookPath}/test`);
  await user.expect(204, `DELETE ${hookPath}`);
  await user.expect('404 WEBHOOK_NOT_FOUND', `GET ${hookPath}`);

  // Deletions, and a new password.
  await user.expect(200, `POST /licenses/${wiki.license._id}/renew`, { duration: 1 });
  await user.expect('409 PROJECT_HAS_ACTIVE_LICENSES', `DELETE /projects/${wiki.project._id}`);
  await user.expect(204, `DELETE /projects/${project._id}`);
  await user.expect('404 PROJECT_NOT_FOUND', `POST ${path}/revoke`, {});
  await user.expect(200, 'POST /validate', check);
  await user.expect(204, `DELETE /clients/${client._id}`);
  const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  await user.expect(204, 'POST /auth/password', passwords);
  await user.expect('401 INVALID_CREDENTIALS', 'POST /auth/login', ada);
  await user.expect(204, 'POST /auth/logout', refreshed);
  return user.journey;
}

describe('A journey through the whole API', () => {
  const receiver = useReceiver();
  const journeys: unknown[] = [];

  it.each(EVERY_ENGINE)('has the expected responses on %s', async (engine) => {
    const app = await TestApp.start(engine, { UNKNOWN_KEY_LIMIT: '2' });
    app.clock.set(START);
    const journey = await travel(app, receiver);
    await app.stop();
    const visited = journey.map(([request]) => {
      const [method, path] = request.split(' ') as [string, string];
      return findRoute(ROUTES, method, path)!.operation.operationId;
    });
    expect([...new Set(visited)].sort()).toEqual(ROUTES.map(({ id }) => id).sort());
    journeys.push(normal(journey));
  });

  it('has the same responses on every engine', () => {
    for (const journey of journeys) expect(journey).toEqual(journeys[0]);
  });
});
