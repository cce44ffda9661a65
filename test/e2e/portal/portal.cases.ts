import { LINKS } from '../../../src/links/link.js';
import { PORTAL_SESSIONS } from '../../../src/portal/portal-session.js';
import { Store } from '../../../src/storage/store.js';
import { exchange } from '../../http-exchange.js';
import { PORTAL_URL } from '../../http-caller.js';
import { DESKTOP, LAPTOP, type LoggedInDeveloper, NOBODYS, PASSWORD } from '../developer.js';
import { atOnce, countsOf, expectError, expectResponse } from '../responses.js';
import { useDeveloper } from '../use-app.js';
import { cookieOf, Customer, SETTINGS } from './customers.js';

const HOST = { Host: 'portal.localhost' };

describe('A client in the portal', () => {
  const [app, ada] = useDeveloper();
  let client: Awaited<ReturnType<typeof app.createClient>>;
  let customer: Customer;

  beforeEach(async () => {
    await app.put('/portal', SETTINGS, ada);
    client = await app.createClient(ada);
    customer = new Customer(app, ada._id);
  });

  const linkFor = async (by: LoggedInDeveloper, { _id }: { _id: string }) =>
    (await app.post(`/clients/${_id}/portal-link`, {}, by)).body;
  const sell = async (terms = {}, of = client) =>
    (await app.createProject(ada, of._id, terms)).license;
  const machineOf = async (license: { key: string }, fingerprint: string) =>
    String((await app.activate(license, fingerprint)).body.machineId);

  it('200: a link signs in once, by a strict cookie, and every session is on record', async () => {
    const { link, expiresAt } = await linkFor(ada, client);
    expect(link).toMatch(new RegExp(`^${PORTAL_URL}/${ada._id}/sign-in#[\\w-]{43}$`));
    expect(expiresAt).toBe('2026-01-31T10:30:00.000Z');
    const signedIn = await customer.open(link);
    expectResponse(signedIn, 200, { message: 'Signed in' });
    expect(cookieOf(signedIn)).toEqual({
      ...{ name: `portal-${ada._id}`, value: expect.stringMatching(/^[\w-]{43}$/) },
      ...{ path: '/', httpOnly: true, sameSite: 'strict', maxAge: 28_800 },
    });
    const { status, body } = await customer.licenses();
    expect([status, body.clientName, body.clientEmail]).toEqual([200, client.name, client.email]);
    expectError(await new Customer(app, ada._id).open(link), [400, 'INVALID_LINK']);
    const { data } = (await app.get(`/events?subject=${client._id}`, ada)).body;
    expect(data.slice(0, 2)).toMatchObject([
      { type: 'client.signed_in', actor: { type: 'client', id: client._id, name: client.name } },
      { type: 'client.portal_link_created', actor: { type: 'user' } },
    ]);
    expect((await customer.send('DELETE', 'session')).status).toBe(204);
    expect(customer.cookie).toBe(`portal-${ada._id}=`);
  });

  it('200: of concurrent uses of a link, one signs in', async () => {
    const { link } = await linkFor(ada, client);
    const opened = await atOnce(8, () => new Customer(app, ada._id).open(link));
    expect(countsOf(opened)).toEqual({ 200: 1, INVALID_LINK: 7 });
  });

  it('behind TLS, the cookie is bound to this host', async () => {
    const headers = { 'X-Forwarded-Proto': 'https', Origin: 'https://portal.localhost' };
    const secure = new Customer(app, ada._id, headers);
    const cookie = cookieOf(await secure.signIn(ada, client._id));
    expect(cookie).not.toHaveProperty('domain');
    expect(cookie).toMatchObject({
      name: `__Host-portal-${ada._id}`,
      secure: true,
      path: '/',
    });
    expect((await secure.licenses()).status).toBe(200);
    await secure.send('DELETE', 'session');
  });

  it('401: a session ends after 30 minutes without a request, and after 8 hours', async () => {
    await customer.signIn(ada, client._id);
    for (let i = 0; i < 16; i += 1) {
      app.clock.advance({ seconds: 29 * 60 + 59 });
      expect([i, (await customer.licenses()).status]).toEqual([i, 200]);
    }
    app.clock.advance({ seconds: 60 });
    expectError(await customer.licenses(), [401, 'PORTAL_SESSION_ENDED']);
    Object.assign(ada, await app.logIn(ada));
    await customer.signIn(ada, client._id);
    app.clock.advance({ seconds: 30 * 60 });
    expectError(await customer.licenses(), [401, 'PORTAL_SESSION_ENDED']);
  });

  it.each<[string, number, () => Promise<unknown>]>([
    ['the portal is off', 404, () => app.put('/portal', { ...SETTINGS, enabled: false }, ada)],
    [
      'the portal was off, even if it is on again',
      401,
      async () => {
        app.clock.advance({ seconds: 1 });
        await app.put('/portal', { ...SETTINGS, enabled: false }, ada);
        await app.put('/portal', SETTINGS, ada);
      },
    ],
    ['the client is deleted', 401, () => app.delete(`/clients/${client._id}`, ada)],
    ['the client is erased', 401, () => app.post(`/clients/${client._id}/erase`, {}, ada)],
    [
      'its address has changed',
      401,
      () => app.patch(`/clients/${client._id}`, { email: `${client._id}@new.example` }, ada),
    ],
    ['15 minutes are over', 200, async () => app.clock.advance({ seconds: 15 * 60 })],
  ])('a session and a link end once %s (%i)', async (_when, status, end) => {
    const { link } = await linkFor(ada, client);
    await customer.signIn(ada, client._id);
    await end();
    expect((await customer.licenses()).status).toBe(status);
    const opened = await new Customer(app, ada._id).open(link);
    expect(opened.status).toBe(status === 404 ? 404 : 400);
  });

  it('409: no link is made for a portal that is off; 404 for a client of another account', async () => {
    const eve = await app.register();
    const link = await app.post(`/clients/${client._id}/portal-link`, {}, eve);
    expectError(link, [404, 'CLIENT_NOT_FOUND']);
    const own = await app.createClient(eve);
    expectError(await app.post(`/clients/${own._id}/portal-link`, {}, eve), [409, 'PORTAL_OFF']);
    expectError(await app.get(`/portal/${eve._id}`), [404, 'PORTAL_NOT_FOUND']);
    expectError(await app.get(`/portal/${NOBODYS}`), [404, 'PORTAL_NOT_FOUND']);
  });

  it('200: sees only its own licenses, with machines, and the key only if the vendor shows it', async () => {
    const license = await sell({ projectName: 'Wiki', maxMachines: 2 });
    await app.post('/validate/activate', {
      key: license.key,
      fingerprint: LAPTOP,
      machineName: 'Laptop',
    });
    await sell({}, await app.createClient(ada));
    await customer.signIn(ada, client._id);
    const { body } = await customer.licenses();
    expect(body).toMatchObject({ nextCursor: null, offlineDays: 7 });
    expect(body.data).toEqual([
      {
        ...{ _id: license._id, project: 'Wiki', key: `•••• ${license.key.slice(-4)}` },
        ...{ status: 'ACTIVE', startsOnActivation: false, updatesUntil: null },
        ...{ expiresAt: '2026-07-31T10:15:00.000Z', maxMachines: 2, machinesCount: 1 },
        machines: [
          {
            machineId: expect.any(String),
            ...{ name: 'Laptop', lastSeenAt: '2026-01-31T00:00:00.000Z', certificateEndsAt: null },
          },
        ],
        ...{ releasesLeft: 3, releaseAvailableAt: null },
      },
    ]);
    await app.put('/portal', { ...SETTINGS, showKey: true }, ada);
    expect((await customer.licenses()).body.data[0].key).toBe(license.key);
  });

  it('204: releases a machine without `release: self`; the seat is free, and the event names the client', async () => {
    const license = await sell();
    const machineId = await machineOf(license, LAPTOP);
    await customer.signIn(ada, client._id);
    expect((await app.activate(license, DESKTOP)).status).not.toBe(200);
    expect((await customer.release(license, machineId)).status).toBe(204);
    expectError(await customer.release(license, machineId), [404, 'MACHINE_NOT_FOUND']);
    expect((await app.activate(license, DESKTOP)).status).toBe(200);
    const [event] = (await app.get('/events?type=license.machine_released', ada)).body.data;
    expect(event.actor).toEqual({ type: 'client', id: client._id, name: client.name });
    await app.post(`/clients/${client._id}/erase`, {}, ada);
    const [erased] = (await app.get('/events?type=license.machine_released', ada)).body.data;
    expect(erased.actor.name).toBe('[erased]');
  });

  it('403: releases at most `releasesPer30Days`, together with machines that release themselves', async () => {
    await app.put('/portal', { ...SETTINGS, releasesPer30Days: 2 }, ada);
    const license = await sell({ release: 'self' });
    await customer.signIn(ada, client._id);
    await machineOf(license, LAPTOP);
    await app.post('/validate/release', { key: license.key, fingerprint: LAPTOP });
    app.clock.advance({ seconds: 60 });
    expect((await customer.release(license, await machineOf(license, LAPTOP))).status).toBe(204);
    const machineId = await machineOf(license, LAPTOP);
    expectError(await customer.release(license, machineId), [403, 'RELEASE_LIMIT_REACHED'], {
      availableAt: '2026-03-02T10:15:00.000Z',
    });
    expect((await customer.licenses()).body.data[0]).toMatchObject({
      ...{ releasesLeft: 0, releaseAvailableAt: '2026-03-02T10:15:00.000Z' },
    });
    await app.put('/portal', { ...SETTINGS, releasesPer30Days: 0 }, ada);
    expectError(await customer.release(license, machineId), [403, 'RELEASE_LIMIT_REACHED'], {
      availableAt: null,
    });
  });

  it('409: keeps a machine with a certificate for offline activation until the certificate expires', async () => {
    const license = await sell();
    const { project } = (await app.readLicense(ada, license)) as { project: string };
    await app.issueCertificate(ada, { ...license, project });
    await customer.signIn(ada, client._id);
    const [{ machines }] = (await customer.licenses()).body.data;
    expect(machines[0].certificateEndsAt).toBe('2026-03-02T10:15:00.000Z');
    const released = await customer.release(license, String(machines[0].machineId));
    expectError(released, [409, 'CERTIFICATE_OUTSTANDING'], {
      certificateExpiresAt: '2026-03-02T10:15:00.000Z',
    });
  });

  it('404: reaches neither another client of the account, nor another account', async () => {
    const [other, eve] = [await app.createClient(ada), await app.register()];
    await app.put('/portal', SETTINGS, eve);
    const ofEve = await app.createClient(eve);
    const license = await sell();
    const machineId = await machineOf(license, LAPTOP);
    const [sibling, foreign] = [new Customer(app, ada._id), new Customer(app, eve._id)];
    await sibling.signIn(ada, other._id);
    await foreign.signIn(eve, ofEve._id);
    for (const stranger of [sibling, foreign]) {
      expect((await stranger.licenses()).body.data).toEqual([]);
      expectError(await stranger.release(license, machineId), [404, 'LICENSE_NOT_FOUND']);
    }
    // The token of one portal in the cookie of another.
    const moved = new Customer(app, ada._id);
    moved.cookie = foreign.cookie.replace(eve._id, ada._id);
    expectError(await moved.licenses(), [401, 'PORTAL_SESSION_ENDED']);
    const { link } = await linkFor(eve, ofEve);
    expectError(await customer.open(link), [400, 'INVALID_LINK']);
    expect((await app.readLicense(ada, license)).machinesCount).toBe(1);
  });

  it('S20: 403 for writes of other origins, the console included, and without Origin', async () => {
    const license = await sell();
    const machineId = await machineOf(license, LAPTOP);
    const { link } = await linkFor(ada, client);
    await customer.signIn(ada, client._id);
    for (const headers of [
      ...[{ Origin: app.url }, { Origin: 'null' }, { Origin: 'http://portal.localhost:1' }],
      ...[{ Origin: 'https://portal.localhost' }, { 'Sec-Fetch-Site': 'same-site' }],
    ] as Record<string, string>[]) {
      const forger = new Customer(app, ada._id, headers);
      forger.cookie = customer.cookie;
      for (const response of [
        await forger.open(link),
        await forger.release(license, machineId),
        await forger.send('DELETE', 'session'),
      ]) {
        expectError(response, [403, 'CROSS_ORIGIN_REQUEST']);
      }
    }
    const { headers } = await exchange(`${app.url}/portal/${ada._id}/licenses`, {
      headers: { ...HOST, Origin: app.url, Cookie: customer.cookie },
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect((await customer.licenses()).status).toBe(200);
  });

  it("the console's cookie and access tokens do not work in the portal, nor the portal's in the console", async () => {
    await customer.signIn(ada, client._id);
    const login = await app.post('/console/session', { email: ada.email, password: PASSWORD });
    const consoleCookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const stranger = new Customer(app, ada._id, { Authorization: `Bearer ${ada.token}` });
    stranger.cookie = consoleCookie;
    expectError(await stranger.licenses(), [401, 'PORTAL_SESSION_ENDED']);
    const headers = { Cookie: customer.cookie };
    const refreshed = await app.send('POST', '/console/session/refresh', undefined, { headers });
    expect(refreshed.status).toBe(401);
    expect((await app.get('/licenses', { headers })).status).toBe(401);
  });

  it('S28: the links and sessions of a deleted client are gone, even after it is restored', async () => {
    await linkFor(ada, client);
    await customer.signIn(ada, client._id);
    await app.delete(`/clients/${client._id}`, ada);
    expect((await app.post(`/bin/${client._id}/restore`, undefined, ada)).status).toBe(200);
    expectError(await customer.licenses(), [401, 'PORTAL_SESSION_ENDED']);
    const store = app.nest.get(Store);
    expect(await store.count(LINKS, { subject: client._id })).toBe(0);
    expect(await store.count(PORTAL_SESSIONS, { client: client._id })).toBe(0);
  });
});
