import { runAccountCommand } from '../../../src/cli/accounts.js';
import { LINKS } from '../../../src/links/link.js';
import { PORTAL_SESSIONS } from '../../../src/portal/portal-session.js';
import { Store } from '../../../src/storage/store.js';
import { exchange } from '../../http-exchange.js';
import { PORTAL_URL } from '../../http-caller.js';
import { LAPTOP, type LoggedInDeveloper, NOBODYS, PASSWORD } from '../developer.js';
import { atOnce, countsOf, expectError, expectResponse } from '../responses.js';
import { cookieOf, Customer, SETTINGS, useCustomer } from './customers.js';

const HOST = { Host: 'portal.localhost' };

describe('A client in the portal', () => {
  const { app, ada, client, customer } = useCustomer();

  const linkFor = async (by: LoggedInDeveloper, { _id }: { _id: string }) =>
    (await app.post(`/clients/${_id}/portal-link`, {}, by)).body;
  const moveTo = (email: string) => app.patch(`/clients/${client._id}`, { email }, ada);
  const run = (command: 'disable' | 'enable') => runAccountCommand(app.nest, command, ada.email);

  it('200: a link signs in once, with a strict cookie, and every session is recorded', async () => {
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
    expectError(await new Customer(app, ada._id).open(link), 'INVALID_LINK');
    const { data } = (await app.get(`/events?subject=${client._id}`, ada)).body;
    expect(data.slice(0, 2)).toMatchObject([
      { type: 'client.signed_in', actor: { type: 'client', id: client._id, name: client.name } },
      { type: 'client.portal_link_created', actor: { type: 'user' } },
    ]);
    expect((await customer.send('DELETE', 'session')).status).toBe(204);
    expect(customer.cookie).toBe(`portal-${ada._id}=`);
  });

  it('200: only one of several concurrent uses of a link signs in', async () => {
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
    expectError(await customer.licenses(), 'PORTAL_SESSION_ENDED');
    Object.assign(ada, await app.logIn(ada));
    await customer.signIn(ada, client._id);
    app.clock.advance({ seconds: 30 * 60 });
    expectError(await customer.licenses(), 'PORTAL_SESSION_ENDED');
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
    ['its address has changed', 401, () => moveTo(`${client._id}@new.example`)],
    [
      'its address has changed, even if it is the old one again',
      401,
      async () => {
        await moveTo(`${client._id}@new.example`);
        await moveTo(client.email);
      },
    ],
    ['the account is disabled', 404, () => run('disable')],
    [
      'the account was disabled, even if it is enabled again',
      401,
      async () => {
        app.clock.advance({ seconds: 1 });
        await run('disable');
        await run('enable');
      },
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

  it('409: no link is created for a portal that is off; 404 for a client of another account', async () => {
    const eve = await app.register();
    const link = await app.post(`/clients/${client._id}/portal-link`, {}, eve);
    expectError(link, 'CLIENT_NOT_FOUND');
    const own = await app.createClient(eve);
    expectError(await app.post(`/clients/${own._id}/portal-link`, {}, eve), 'PORTAL_OFF');
    expectError(await app.get(`/portal/${eve._id}`), 'PORTAL_NOT_FOUND');
    expectError(await app.get(`/portal/${NOBODYS}`), 'PORTAL_NOT_FOUND');
  });

  it('S20: 403 for writes from other origins, including the console, and without Origin', async () => {
    const { license } = await app.createProject(ada, client._id);
    const machineId = String((await app.activate(license, LAPTOP)).body.machineId);
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
        expectError(response, 'CROSS_ORIGIN_REQUEST');
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
    expectError(await stranger.licenses(), 'PORTAL_SESSION_ENDED');
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
    expectError(await customer.licenses(), 'PORTAL_SESSION_ENDED');
    const store = app.nest.get(Store);
    expect(await store.count(LINKS, { subject: client._id })).toBe(0);
    expect(await store.count(PORTAL_SESSIONS, { client: client._id })).toBe(0);
  });
});
