import { DESKTOP, LAPTOP } from '../developer.js';
import { expectError } from '../responses.js';
import { Customer, SETTINGS, useCustomer } from './customers.js';

describe('The licenses of a client in the portal', () => {
  const { app, ada, client, customer } = useCustomer();

  const sell = async (terms = {}, of = client) =>
    (await app.createProject(ada, of._id, terms)).license;
  const machineOf = async (license: { key: string }, fingerprint: string) =>
    String((await app.activate(license, fingerprint)).body.machineId);

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

  it('200: lists usable licenses first, then expired and suspended, then revoked ones, the newest first, page by page', async () => {
    const sellOne = async (terms = {}) => {
      app.clock.advance({ seconds: 1 });
      return (await sell(terms))._id;
    };
    const pending = await sellOne();
    const expired = await sellOne({ duration: undefined, expiresAt: '2026-01-31T11:00:00.000Z' });
    const revoked = await sellOne();
    const active = await sell();
    await app.activate(active, LAPTOP);
    const suspended = await sellOne();
    await app.post(`/licenses/${revoked}/revoke`, {}, ada);
    await app.post(`/licenses/${suspended}/suspend`, {}, ada);
    app.clock.advance({ seconds: 3600 });
    Object.assign(ada, await app.logIn(ada));
    await customer.signIn(ada, client._id);
    const newest = await sellOne();
    const all = [newest, active._id, pending, suspended, expired, revoked];
    for (const limit of [1, 2, 3, 5, 6]) {
      const shown: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await customer.licenses(`?limit=${limit}${cursor}`);
        shown.push(...body.data.map(({ _id }: { _id: string }) => _id));
        if (body.nextCursor === null) break;
        cursor = `&cursor=${body.nextCursor}`;
      }
      expect([limit, shown]).toEqual([limit, all]);
    }
  });

  it('204: releases a machine without `release: self`; the seat is free, and the event names the client', async () => {
    const license = await sell();
    const machineId = await machineOf(license, LAPTOP);
    await customer.signIn(ada, client._id);
    expect((await app.activate(license, DESKTOP)).status).not.toBe(200);
    expect((await customer.release(license, machineId)).status).toBe(204);
    expectError(await customer.release(license, machineId), 'MACHINE_NOT_FOUND');
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
    expectError(await customer.release(license, machineId), 'RELEASE_LIMIT_REACHED', {
      availableAt: '2026-03-02T10:15:00.000Z',
    });
    expect((await customer.licenses()).body.data[0]).toMatchObject({
      ...{ releasesLeft: 0, releaseAvailableAt: '2026-03-02T10:15:00.000Z' },
    });
    await app.put('/portal', { ...SETTINGS, releasesPer30Days: 0 }, ada);
    expectError(await customer.release(license, machineId), 'RELEASE_LIMIT_REACHED', {
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
    expectError(released, 'CERTIFICATE_OUTSTANDING', {
      certificateExpiresAt: '2026-03-02T10:15:00.000Z',
    });
  });

  it('404: reaches neither another client of the account nor another account', async () => {
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
      expectError(await stranger.release(license, machineId), 'LICENSE_NOT_FOUND');
    }
    // The token of one portal in the cookie of another.
    const moved = new Customer(app, ada._id);
    moved.cookie = foreign.cookie.replace(eve._id, ada._id);
    expectError(await moved.licenses(), 'PORTAL_SESSION_ENDED');
    const { body } = await app.post(`/clients/${ofEve._id}/portal-link`, {}, eve);
    expectError(await customer.open(String(body.link)), 'INVALID_LINK');
    expect((await app.readLicense(ada, license)).machinesCount).toBe(1);
  });
});
