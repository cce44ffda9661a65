import { LastSeen } from '../../../src/machines/last-seen.service.js';
import { claimsOf, type CreatedLicense } from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { useDeveloper } from '../use-app.js';

const [A, B, C, D] = [
  'machine-number-a',
  'machine-number-b',
  'machine-number-c',
  'machine-number-d',
];

describe('The machines of a license', () => {
  const [app, ada] = useDeveloper();

  const validate = async ({ key }: CreatedLicense, fingerprint: string, more: object = {}) =>
    (await app.post('/validate', { key, fingerprint, ...more })).body;
  const release = ({ key }: { key: string }, fingerprint?: string) =>
    app.post('/validate/release', { key, fingerprint });
  const read = (license: CreatedLicense) => app.readLicense(ada, license);
  const machinesOf = async ({ _id }: CreatedLicense) =>
    (await app.get(`/licenses/${_id}/machines`, ada)).body.data;
  /** A license of this number of places, taken by as many of the machines. */
  const taken = async (fingerprints: string[], terms: object = {}) => {
    const license = await app.createLicense(ada, { maxMachines: 3, ...terms });
    for (const fingerprint of fingerprints) {
      expect((await app.activate(license, fingerprint)).status).toBe(200);
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
    await app.activate(license, C);
    app.clock.advance({ seconds: 1 });
    const machines = { used: 3, max: 3 };
    expectResponse(await app.activate(license, D), 403, {
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
    await app.activate(license, D);
    expect((await app.eventsOf(ada, license))[0]).toMatchObject({
      ...{ type: 'license.activation_rejected', data: { reason: 'machine_limit' } },
      ...{ at: after(-1), lastAt: after(0), count: 2 },
    });
  });

  it('are released by the vendor, who is told until when a certificate is valid; the place is free at once', async () => {
    const license = await taken([A, B, C]);
    const [first, second] = await machinesOf(license);
    const path = (machineId: string) => `/licenses/${license._id}/machines/${machineId}`;
    await app.issueCertificate(ada, license, { fingerprint: A });
    expect((await app.delete(path(first.machineId), ada)).status).toBe(204);
    expect(await app.validationOf(license, A)).toBe('machine_mismatch');
    expect((await read(license)).machineId).toBe(second.machineId);
    expect((await app.activate(license, D)).status).toBe(200);
    expectError(await app.delete(path(first.machineId), ada), [404, 'MACHINE_NOT_FOUND']);
    expectInvalid(await app.delete(path('x'), ada), 'machineId');
    expect((await app.eventsOf(ada, license))[1]).toMatchObject({
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
      expect((await app.activate(license, A)).status).toBe(200);
    }
    expectError(await release(license, A), [403, 'RELEASE_LIMIT_REACHED'], { success: false });
    const [{ machineId }] = await machinesOf(license);
    await app.delete(`/licenses/${license._id}/machines/${machineId}`, ada);
    await app.activate(license, A);
    app.clock.advance({ seconds: 30 * 86_400 });
    expect((await release(license, A)).status).toBe(200);
  });

  it('are told why they may not be released, in the order of the contract', async () => {
    const license = await taken([A], { maxMachines: 1 });
    expectError(await release(license), [400, 'FINGERPRINT_REQUIRED'], { success: false });
    expectError(await release({ key: 'nonsense' }, A), [404, 'LICENSE_NOT_FOUND']);
    expectError(await release(license, B), [403, 'RELEASE_NOT_ALLOWED']);
    await app.patch(`/licenses/${license._id}`, { release: 'self' }, ada);
    expectError(await release(license, B), [404, 'MACHINE_NOT_FOUND']);
    await app.issueCertificate(ada, license, { fingerprint: A });
    expectError(await release(license, A), [409, 'CERTIFICATE_OUTSTANDING']);
    await app.post(`/licenses/${license._id}/suspend`, {}, ada);
    app.clock.advance({ seconds: 31 * 86_400 });
    expect((await release(license, A)).status).toBe(200);
    await app.moveTo(ada, app.clock.now().toISOString());
    await app.post(`/licenses/${license._id}/revoke`, {}, ada);
    expectError(await release(license, A), [403, 'LICENSE_REVOKED']);
  });

  it('are seen on a day, which is written in the background and not by the validation', async () => {
    const license = await taken([A, B]);
    await app.moveTo(ada, '2026-02-03T04:05:06.000Z');
    await validate(license, A);
    const days = async () =>
      (await machinesOf(license)).map(({ lastSeenAt }: { lastSeenAt: string }) => lastSeenAt);
    expect(await days()).toEqual(Array(2).fill('2026-01-31T00:00:00.000Z'));
    const before = await read(license);
    await app.nest.get(LastSeen, { strict: false }).write();
    expect(await days()).toEqual(['2026-02-03T00:00:00.000Z', '2026-01-31T00:00:00.000Z']);
    expect(await read(license)).toEqual(before);
    await app.moveTo(ada, '2026-02-04T04:05:06.000Z');
    expect((await app.activate(license, B)).status).toBe(200);
    await app.nest.get(LastSeen, { strict: false }).write();
    expect(await days()).toEqual(['2026-02-03T00:00:00.000Z', '2026-02-04T00:00:00.000Z']);
  });

  describe('with leases', () => {
    const floating = { leaseSeconds: 400, release: 'self' };
    const heartbeat = ({ key }: CreatedLicense, fingerprint?: string, more: object = {}) =>
      app.post('/validate/heartbeat', { key, fingerprint, ...more });

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
      const { body } = await app.patch(`/licenses/${license._id}`, {}, ada);
      expect(body.license).toMatchObject({ machinesCount: 0, machineId: null });
      expect(await machinesOf(license)).toEqual([]);
      expect((await heartbeat(license, A)).body.leaseEndsAt).toBe(after(400));
      expect(await validate(license, A)).toMatchObject({ status: 'active' });
      expect(await app.eventsOf(ada, license)).toMatchObject([
        { type: 'license.activated', count: 1, actor: { type: 'machine' } },
        { type: 'license.activated' },
        { type: 'license.created' },
      ]);
    });

    it('get certificates that end with the lease by activation and heartbeat alone, and then keep the place until that', async () => {
      const license = await taken([], { ...floating, maxMachines: 1 });
      const wanted = { product: license.project, certificate: true };
      const body = { key: license.key, fingerprint: A, ...wanted };
      const { certificate } = (await app.post('/validate/activate', body)).body;
      const end = app.clock.now().getTime() / 1000 + 400;
      expect(claimsOf(certificate)).toMatchObject({ exp: end, license: { leaseSeconds: 400 } });
      expect(await validate(license, A, wanted)).not.toHaveProperty('certificate');
      app.clock.advance({ seconds: 200 });
      const extended = (await heartbeat(license, A, wanted)).body.certificate;
      expect(claimsOf(extended)).toMatchObject({ exp: end + 200 });
      expect((await release(license, A)).status).toBe(200);
      expect(await app.validationOf(license, A)).toBe('machine_mismatch');
      expectError(await heartbeat(license, B), [403, 'MACHINE_LIMIT_REACHED']);
      app.clock.advance({ seconds: 400 });
      expect((await heartbeat(license, B)).status).toBe(200);
      // A place without a certificate is free at once, as often as it is released.
      for (const one of [B, C, D, A, B, C]) {
        expect((await heartbeat(license, one)).status).toBe(200);
        expect((await release(license, one)).status).toBe(200);
      }
    });

    it('are those of the time of a certificate in the license that is shown with it', async () => {
      const license = await taken([A, B], floating);
      app.clock.advance({ seconds: 200 });
      await heartbeat(license, A);
      app.clock.advance({ seconds: 200 });
      const { body } = await app.issueCertificate(ada, license, { fingerprint: A });
      expect(body.license).toEqual(await read(license));
      expect(body.license).toMatchObject({ machinesCount: 1 });
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
});
