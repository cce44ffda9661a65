import { LastSeen } from '../../../src/activation/last-seen.service.js';
import { START } from '../../fake-clock.js';
import { statusesOf } from '../at-once.js';
import {
  activate,
  createLicense,
  type CreatedLicense,
  moveTo,
  validationOf,
} from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((name) => `machine-number-${name}`) as [
  string,
  string,
  string,
  string,
];

describe('The machines of a license', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  beforeEach(() => moveTo(app, ada, START));

  const validate = async ({ key }: { key: string }, fingerprint: string, more: object = {}) =>
    (await app.post('/validate', { key, fingerprint, ...more })).body;
  const heartbeat = ({ key }: { key: string }, fingerprint?: string, more: object = {}) =>
    app.post('/validate/heartbeat', { key, fingerprint, ...more });
  const release = ({ key }: { key: string }, fingerprint?: string) =>
    app.post('/validate/release', { key, fingerprint });
  const read = async ({ _id }: { _id: string }) => (await app.get(`/licenses/${_id}`, ada)).body;
  const machinesOf = async ({ _id }: { _id: string }) =>
    (await app.get(`/licenses/${_id}/machines`, ada)).body.data;
  const eventsOf = async ({ _id }: { _id: string }) =>
    (await app.get(`/licenses/${_id}/events`, ada)).body.data;
  /** A license of this number of places, taken by as many of the machines. */
  const taken = async (fingerprints: string[], terms: object = {}): Promise<CreatedLicense> => {
    const license = await createLicense(app, ada, { maxMachines: 3, ...terms });
    for (const fingerprint of fingerprints) {
      expect((await activate(app, license, fingerprint)).status).toBe(200);
    }
    return license;
  };
  const after = (seconds: number) =>
    new Date(app.clock.now().getTime() + seconds * 1000).toISOString();

  it('take its places: one too many is rejected with the number of them, and a place is no new term', async () => {
    const license = await taken([A]);
    const { activatedAt, expiresAt } = await read(license);
    app.clock.advance({ seconds: 60 });
    const second = await app.post('/validate/activate', {
      ...{ key: license.key, fingerprint: B, machineName: ' Desk 2 ' },
    });
    expectResponse(second, 200, {
      ...{ success: true, message: 'License activated successfully', activatedAt, expiresAt },
      machineId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await activate(app, license, C);
    app.clock.advance({ seconds: 1 });
    const machines = { used: 3, max: 3 };
    expectResponse(await activate(app, license, D), 403, {
      ...{ success: false, message: 'Machine limit reached', code: 'MACHINE_LIMIT_REACHED' },
      ...{ details: expect.any(String), machines, requestId: expect.any(String) },
    });
    expect(await validate(license, D)).toEqual({
      ...{ valid: false, status: 'machine_mismatch', machines },
      message: 'License is activated on another machine',
    });
    expect(await validate(license, B)).toMatchObject({ valid: true, entitlements: [] });
    const listed = await machinesOf(license);
    expect(listed).toHaveLength(3);
    expect(listed[1]).toEqual({
      ...{ machineId: second.body.machineId, name: 'Desk 2', activatedAt: after(-1) },
      ...{ lastSeenAt: '2026-01-31T00:00:00.000Z', leaseEndsAt: null },
    });
    expect(await read(license)).toMatchObject({
      ...{ machinesCount: 3, machineId: listed[0].machineId, activatedAt, expiresAt },
    });
    app.clock.advance({ seconds: 1 });
    await activate(app, license, D);
    expect(await eventsOf(license)).toMatchObject([
      {
        ...{ type: 'license.activation_rejected', data: { reason: 'machine_limit' } },
        ...{ at: after(-1), lastAt: after(0), count: 2 },
      },
      ...['license.activated', 'license.activated'].map((type) => ({ type })),
      ...['license.activated', 'license.created'].map((type) => ({ type })),
    ]);
  });

  it('are released by the vendor, who is told until when a certificate is valid; the place is free at once', async () => {
    const license = await taken([A, B, C]);
    const [first, second] = await machinesOf(license);
    const path = (machineId: string) => `/licenses/${license._id}/machines/${machineId}`;
    const certificate = { fingerprint: A, product: license.project, days: 30 };
    await app.post(`/licenses/${license._id}/certificates`, certificate, ada);
    expect((await app.delete(path(first.machineId), ada)).status).toBe(204);
    expect(await validationOf(app, license, A)).toBe('machine_mismatch');
    expect((await read(license)).machineId).toBe(second.machineId);
    expect((await activate(app, license, D)).status).toBe(200);
    expectError(await app.delete(path(first.machineId), ada), [404, 'MACHINE_NOT_FOUND']);
    expectError(await app.delete(path('x'), ada), [400, 'VALIDATION_ERROR']);
    expect((await eventsOf(license))[1]).toMatchObject({
      ...{ type: 'license.machine_released', actor: { type: 'user', id: ada._id } },
      data: { machineId: first.machineId, certificateExpiresAt: after(30 * 86_400) },
    });
  });

  it('release themselves where that is allowed, three times in 30 days; the vendor releases them any time', async () => {
    const license = await taken([A], { maxMachines: 1, release: 'self' });
    for (let times = 0; times < 3; times++) {
      expectResponse(await release(license, A), 200, {
        ...{ success: true, message: 'License released from this machine' },
      });
      expect(await read(license)).toMatchObject({ status: 'ACTIVE', machineId: null });
      expect((await validate(license, B)).machines).toEqual({ used: 0, max: 1 });
      expect((await activate(app, license, A)).status).toBe(200);
      app.clock.advance({ seconds: 86_400 });
      await moveTo(app, ada, app.clock.now().toISOString());
    }
    expectError(await release(license, A), [403, 'RELEASE_LIMIT_REACHED'], { success: false });
    const [{ machineId }] = await machinesOf(license);
    await app.delete(`/licenses/${license._id}/machines/${machineId}`, ada);
    await activate(app, license, A);
    app.clock.advance({ seconds: 27 * 86_400 });
    expect((await release(license, A)).status).toBe(200);
  });

  it('are told why they may not be released, in the order of the contract', async () => {
    const license = await taken([A], { maxMachines: 1 });
    expectError(await release(license), [400, 'FINGERPRINT_REQUIRED'], { success: false });
    expectError(await release({ key: 'nonsense' }, A), [404, 'LICENSE_NOT_FOUND']);
    expectError(await release(license, B), [403, 'RELEASE_NOT_ALLOWED']);
    await app.patch(`/licenses/${license._id}`, { release: 'self' }, ada);
    expectError(await release(license, B), [404, 'MACHINE_NOT_FOUND']);
    const certificate = { fingerprint: A, product: license.project, days: 30 };
    await app.post(`/licenses/${license._id}/certificates`, certificate, ada);
    expectError(await release(license, A), [409, 'CERTIFICATE_OUTSTANDING']);
    await app.post(`/licenses/${license._id}/suspend`, {}, ada);
    app.clock.advance({ seconds: 31 * 86_400 });
    expect((await release(license, A)).status).toBe(200);
    await moveTo(app, ada, app.clock.now().toISOString());
    await app.post(`/licenses/${license._id}/revoke`, {}, ada);
    expectError(await release(license, A), [403, 'LICENSE_REVOKED']);
  });

  describe('with leases', () => {
    const floating = { leaseSeconds: 400, release: 'self' };

    it('keep their places from heartbeat to heartbeat; a small move of the end writes nothing', async () => {
      const license = await taken([A], floating);
      expect(await validate(license, A)).toMatchObject({ leaseEndsAt: after(400) });
      const end = after(400);
      app.clock.advance({ seconds: 19 });
      expectResponse(await heartbeat(license, A), 200, {
        ...{ success: true, message: 'Lease extended successfully', leaseEndsAt: end },
      });
      app.clock.advance({ seconds: 1 });
      expect((await heartbeat(license, A)).body.leaseEndsAt).toBe(after(400));
      app.clock.advance({ seconds: 400 });
      expect(await validate(license, A)).toEqual({
        ...{ valid: false, status: 'lease_ended', message: 'Lease of this machine has ended' },
      });
      expect(await read(license)).toMatchObject({ machinesCount: 0, machineId: null });
      expect(await machinesOf(license)).toEqual([]);
      expect((await heartbeat(license, A)).body.leaseEndsAt).toBe(after(400));
      expect(await validate(license, A)).toMatchObject({ status: 'active' });
      expect(await eventsOf(license)).toMatchObject([
        { type: 'license.activated', count: 1, actor: { type: 'machine' } },
        { type: 'license.activated' },
        { type: 'license.created' },
      ]);
    });

    it('are rejected where all are taken, and take the place of an ended lease, which is forgotten', async () => {
      const license = await taken([A], { ...floating, maxMachines: 1 });
      for (const attempt of [heartbeat(license, B), activate(app, license, B)]) {
        const machines = { used: 1, max: 1 };
        expectError(await attempt, [403, 'MACHINE_LIMIT_REACHED'], { success: false, machines });
      }
      app.clock.advance({ seconds: 400 });
      expect((await heartbeat(license, B)).status).toBe(200);
      expect(await validate(license, A)).toMatchObject({ status: 'machine_mismatch' });
    });

    it('get certificates that end with the lease by activation and heartbeat alone, and then keep the place until that', async () => {
      const license = await taken([], { ...floating, maxMachines: 1 });
      const wanted = { product: license.project, certificate: true };
      const body = { key: license.key, fingerprint: A, ...wanted };
      const { certificate } = (await app.post('/validate/activate', body)).body;
      const claims = (token: string) =>
        JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
      const end = app.clock.now().getTime() / 1000 + 400;
      expect(claims(certificate)).toMatchObject({ exp: end, license: { leaseSeconds: 400 } });
      expect(await validate(license, A, wanted)).not.toHaveProperty('certificate');
      app.clock.advance({ seconds: 200 });
      const beat = await heartbeat(license, A, wanted);
      expect(claims(beat.body.certificate as string).exp).toBe(end + 200);
      expect((await release(license, A)).status).toBe(200);
      expect(await validationOf(app, license, A)).toBe('machine_mismatch');
      expectError(await heartbeat(license, B), [403, 'MACHINE_LIMIT_REACHED']);
      app.clock.advance({ seconds: 400 });
      expect((await heartbeat(license, B)).status).toBe(200);
      // A place without a certificate is free at once, as often as it is released.
      for (const one of [B, C, D, A, B, C]) {
        expect((await heartbeat(license, one)).status).toBe(200);
        expect((await release(license, one)).status).toBe(200);
      }
    });

    it('without a network keep the place until their certificate ends; the vendor alone releases them', async () => {
      const license = await taken([], { ...floating, maxMachines: 1 });
      const certificate = { fingerprint: A, product: license.project, days: 30 };
      await app.post(`/licenses/${license._id}/certificates`, certificate, ada);
      const [machine] = await machinesOf(license);
      expect(machine.leaseEndsAt).toBe(after(30 * 86_400));
      expectError(await release(license, A), [409, 'CERTIFICATE_OUTSTANDING']);
      app.clock.advance({ seconds: 500 });
      expectError(await heartbeat(license, B), [403, 'MACHINE_LIMIT_REACHED']);
      const path = `/licenses/${license._id}/machines/${machine.machineId}`;
      expect((await app.delete(path, ada)).status).toBe(204);
      expect((await heartbeat(license, B)).status).toBe(200);
    });

    it('begin when a license gets them, and stay places when it loses them', async () => {
      const license = await taken([A, B]);
      const change = (leaseSeconds: number | null) =>
        app.patch(`/licenses/${license._id}`, { leaseSeconds }, ada);
      expectInvalid(await change(299), 'leaseSeconds');
      await change(300);
      expect(await validate(license, A)).toMatchObject({ leaseEndsAt: after(300) });
      app.clock.advance({ seconds: 200 });
      await heartbeat(license, A);
      app.clock.advance({ seconds: 200 });
      expect((await change(null)).body.license).toMatchObject({ machinesCount: 1 });
      app.clock.advance({ seconds: 86_400 });
      expect(await validate(license, A)).toMatchObject({ status: 'active' });
      expect(await validate(license, B)).toMatchObject({ status: 'machine_mismatch' });
    });

    it('409 without leases, or before the first activation; the state of the license comes first', async () => {
      const license = await taken([], floating);
      expectError(await heartbeat(license), [400, 'FINGERPRINT_REQUIRED']);
      expectError(await heartbeat(license, A), [409, 'LICENSE_NOT_ACTIVATED'], { success: false });
      const bound = await taken([A]);
      expectError(await heartbeat(bound, A), [409, 'LICENSE_HAS_NO_LEASES']);
      await app.post(`/licenses/${bound._id}/suspend`, {}, ada);
      expectError(await heartbeat(bound, A), [403, 'LICENSE_SUSPENDED']);
    });
  });

  it('are seen on a day, which is written in the background and not by the validation', async () => {
    const license = await taken([A, B]);
    await moveTo(app, ada, '2026-02-03T04:05:06.000Z');
    await validate(license, A);
    const days = async () =>
      (await machinesOf(license)).map(({ lastSeenAt }: { lastSeenAt: string }) => lastSeenAt);
    expect(await days()).toEqual(Array(2).fill('2026-01-31T00:00:00.000Z'));
    const before = await read(license);
    await app.nest.get(LastSeen, { strict: false }).write();
    expect(await days()).toEqual(['2026-02-03T00:00:00.000Z', '2026-01-31T00:00:00.000Z']);
    expect(await read(license)).toEqual(before);
  });

  it('never pass the limit, however many race for the places', async () => {
    const license = await taken([], { leaseSeconds: 1000 });
    const machines = Array.from({ length: 20 }, (_, i) => `racing-machine-${i}`);
    const raced = await Promise.all(machines.map((one) => activate(app, license, one)));
    expect(statusesOf(raced).filter((status) => status === 200)).toHaveLength(3);
    expect(await read(license)).toMatchObject({ machinesCount: 3 });
  });
});
