import { claimsOf, type CreatedLicense } from '../developer.js';
import { expectError, expectResponse } from '../responses.js';
import { useDeveloper } from '../use-app.js';
import { A, B, C, D, machinesUnder } from './machines.js';

describe('The machines of a floating license', () => {
  const [app, ada] = useDeveloper();
  const { validate, release, read, machinesOf, taken, after } = machinesUnder(app, ada);

  const floating = { leaseSeconds: 400 };
  const heartbeat = ({ key }: CreatedLicense, fingerprint?: string, more: object = {}) =>
    app.post('/validate/heartbeat', { key, fingerprint, ...more });

  it('keep their seats from heartbeat to heartbeat; barely moving the lease end writes nothing', async () => {
    const license = await taken([A], floating);
    expect(await validate(license, A)).toMatchObject({ leaseEndsAt: after(400) });
    const end = after(400);
    app.clock.advance({ seconds: 19 });
    expectResponse(await heartbeat(license, A), 200, {
      ...{ success: true, message: 'Lease extended', leaseEndsAt: end },
    });
    app.clock.advance({ seconds: 1 });
    expect((await heartbeat(license, A)).body.leaseEndsAt).toBe(after(400));
    app.clock.advance({ seconds: 400 });
    expect(await validate(license, A)).toEqual({
      ...{ valid: false, status: 'lease_ended', message: 'Lease of this machine has expired' },
    });
    expect(await read(license)).toMatchObject({ machinesCount: 0, machineId: null });
    const { body } = await app.patch(`/licenses/${license._id}`, {}, ada);
    expect(body.license).toMatchObject({ machinesCount: 0, machineId: null });
    expect(await machinesOf(license)).toEqual([]);
    expect((await heartbeat(license, A)).body.leaseEndsAt).toBe(after(400));
    expect(await validate(license, A)).toMatchObject({ status: 'active' });
    // Its record still represented the seat.
    expect(await app.eventsOf(ada, license)).toMatchObject([
      { type: 'license.activated', count: 1, actor: { type: 'machine' } },
      { type: 'license.created' },
    ]);
  });

  it('get certificates that expire with the lease by activation and heartbeat, and keep the seat until then', async () => {
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
    const machines = { used: 1, max: 1 };
    const nextLeaseEndsAt = new Date((end + 200) * 1000).toISOString();
    const full = { machines, nextLeaseEndsAt };
    expectError(await heartbeat(license, B), 'MACHINE_LIMIT_REACHED', full);
    app.clock.advance({ seconds: 400 });
    expect((await heartbeat(license, B)).status).toBe(200);
    // A seat without a certificate is free immediately after any release, regardless of `release`.
    for (const one of [B, C, D, A, B, C]) {
      expect((await heartbeat(license, one)).status).toBe(200);
      expect((await release(license, one)).status).toBe(200);
    }
  });

  it('409 without leases, or before the first activation; the license status is checked first', async () => {
    const license = await taken([], floating);
    expectError(await heartbeat(license), 'FINGERPRINT_REQUIRED');
    expectError(await heartbeat(license, A), 'LICENSE_NOT_ACTIVATED', { success: false });
    const bound = await taken([A]);
    expectError(await heartbeat(bound, A), 'LICENSE_HAS_NO_LEASES');
    await app.post(`/licenses/${bound._id}/suspend`, {}, ada);
    expectError(await heartbeat(bound, A), 'LICENSE_SUSPENDED');
  });
});
