import { expectError, expectResponse } from '../expect-response.js';
import { A, B, C, D, machineCalls } from '../machine-calls.js';
import { useDeveloper } from '../use-app.js';

describe('The machines of a license with leases', () => {
  const [app, ada] = useDeveloper();

  const calls = machineCalls(app, ada);
  const { validate, heartbeat, release, read, machinesOf, taken, after } = calls;
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
    const claims = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    const end = app.clock.now().getTime() / 1000 + 400;
    expect(claims(certificate)).toMatchObject({ exp: end, license: { leaseSeconds: 400 } });
    expect(await validate(license, A, wanted)).not.toHaveProperty('certificate');
    app.clock.advance({ seconds: 200 });
    const beat = await heartbeat(license, A, wanted);
    expect(claims(beat.body.certificate as string).exp).toBe(end + 200);
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
    const request = { fingerprint: A, product: license.project, days: 1 };
    const { body } = await app.post(`/licenses/${license._id}/certificates`, request, ada);
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
