import { START } from '../../fake-clock.js';
import { expectError, expectInvalid, expectResponse, statusesOf } from '../responses.js';
import { DESKTOP, LAPTOP } from '../developer.js';
import { useDeveloper } from '../use-app.js';

// Terms are covered in src/licenses/license.spec.ts.
describe('The changes of a license', () => {
  const [app, ada] = useDeveloper();

  const change = (action: string) => (license: { _id: string }, body?: unknown) =>
    app.post(`/licenses/${license._id}/${action}`, body, ada);
  const [revoke, reissue] = [change('revoke'), change('reissue')];
  const read = (license: { _id: string }) => app.readLicense(ada, license);

  it('revoke: revokes a PENDING license with a reason, and changes nothing when repeated', async () => {
    const license = await app.createLicense(ada);
    for (const reason of ['x'.repeat(501), 5]) {
      expectInvalid(await revoke(license, { reason }), 'reason');
    }
    const { status, body } = await revoke(license, { reason: ' Contract ended ' });

    const revoked = { status: 'REVOKED', revokedAt: START, revokedReason: 'Contract ended' };
    expectResponse({ status, body }, 200, {
      message: 'License revoked',
      license: { ...license, ...revoked },
    });
    expect(await read(license)).toEqual(body.license);
    app.clock.advance({ seconds: 60 });
    expectResponse(await revoke(license, { reason: 'second' }), 200, body);
    expect(await app.eventsOf(ada, license)).toMatchObject([
      { type: 'license.revoked' },
      { type: 'license.created' },
    ]);
  });

  it('reissue: revokes the license and returns it with a replacement on the same terms, and rejects a REVOKED one', async () => {
    const old = await app.createLicense(ada, {
      ...{ duration: 3, services: ['Domain', 'Hosting'], entitlements: ['a'] },
      ...{ maxMachines: 3, leaseSeconds: 600, release: 'self', metadata: { a: 'b' } },
    });
    await app.activate(old, LAPTOP);
    app.clock.advance({ seconds: 60 });
    const before = await read(old);
    expect(await app.validationOf(old, LAPTOP)).toBe('active');
    const { status, body } = await reissue(old, { duration: null });
    const now = app.clock.now().toISOString();
    const { revoked, license } = body;

    expect([status, body.message]).toEqual([201, 'License reissued']);
    expect(revoked).toEqual({
      ...before,
      ...{ status: 'REVOKED', revokedReason: 'Reissued', revokedAt: now, updatedAt: now },
    });
    expect(license).toEqual({
      ...old,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      key: expect.stringMatching(new RegExp(`^LIC-${old.project}(-[A-Z0-9]{4}){3}$`)),
      keyHint: (license.key as string).slice(-4),
      // The rest of the term, in whole days.
      ...{ duration: null, days: 89 },
      ...{ replaces: old._id, issuedAt: now, expiresAt: '2026-04-30T10:16:00.000Z' },
      ...{ createdAt: now, updatedAt: now },
    });
    expect(license.key).not.toBe(old.key);
    expect([await read(old), await read(license)]).toEqual([revoked, license]);
    expect(await app.validationOf(old, LAPTOP)).toBe('revoked');
    expect((await app.activate(license, DESKTOP)).status).toBe(200);
    expectError(await reissue(old), [409, 'LICENSE_ALREADY_REVOKED']);
    expect(await app.eventsOf(ada, old)).toMatchObject([
      { type: 'license.reissued', data: { replacement: license._id } },
      { type: 'license.activated' },
      { type: 'license.created' },
    ]);
    expect(await app.eventsOf(ada, license)).toMatchObject([
      { type: 'license.activated' },
      { type: 'license.created', data: { replaces: old._id } },
    ]);
    expect((await reissue(license, { duration: 12 })).body.license.duration).toBe(12);
    expect((await app.get(`/licenses?projectId=${old.project}`, ada)).body.data).toHaveLength(3);
  });

  // Every day of twelve years and every duration are covered in src/shared/time/calendar.spec.ts.
  it.each([
    ['a year behind', '2025-01-31T10:15:00.000Z', 'ACTIVE'],
    ['a day ahead', '2026-02-01T10:15:00.000Z', 'ACTIVE'],
    ['a year ahead', '2027-01-31T10:15:00.000Z', 'EXPIRED'],
  ])(
    'R9: with a clock that is %s a term is over or not by the clock, and every change succeeds',
    async (_case, now, status) => {
      const [license, other] = [await app.createLicense(ada), await app.createLicense(ada)];
      for (const one of [license, other]) await app.activate(one);
      await app.moveTo(ada, now);
      const read = await app.readLicense(ada, license);
      const query = `status=${status}&projectId=${license.project}`;

      expect(read.status).toBe(status);
      expect((await app.get(`/licenses?${query}`, ada)).body.data).toEqual([read]);
      expect(await app.validationOf(license)).toBe(status.toLowerCase());
      const fresh = await app.createLicense(ada);
      const changes = [
        await app.activate(fresh),
        await app.post(`/licenses/${license._id}/renew`, { duration: 1 }, ada),
        await app.post(`/licenses/${other._id}/reissue`, { days: 9 }, ada),
        await app.post(`/licenses/${fresh._id}/revoke`, {}, ada),
        await app.patch(`/clients/${fresh.client}`, { name: 'Renamed' }, ada),
        await app.delete(`/projects/${fresh.project}`, ada),
      ];
      expect(statusesOf(changes)).toEqual([200, 200, 201, 200, 200, 204]);
      expect(await app.validationOf(license)).toBe('active');
    },
  );
});
