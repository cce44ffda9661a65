import { LastSeen } from '../../../src/activation/last-seen.service.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { A, B, C, D, machineCalls } from '../machine-calls.js';
import { useDeveloper } from '../use-app.js';

describe('The machines of a license', () => {
  const [app, ada] = useDeveloper();

  const { validate, release, read, machinesOf, taken, after } = machineCalls(app, ada);

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
    const certificate = { fingerprint: A, product: license.project, days: 30 };
    await app.post(`/licenses/${license._id}/certificates`, certificate, ada);
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
    const certificate = { fingerprint: A, product: license.project, days: 30 };
    await app.post(`/licenses/${license._id}/certificates`, certificate, ada);
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
});
