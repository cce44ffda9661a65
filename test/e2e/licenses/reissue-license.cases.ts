import { activate, createLicense, DESKTOP, LAPTOP, validationOf } from '../developer.js';
import { expectError } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('POST /licenses/:id/reissue', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  const reissue = ({ _id }: { _id: string }, body: unknown = {}) =>
    app.post(`/licenses/${_id}/reissue`, body, ada);
  const read = async ({ _id }: { _id: string }) => (await app.get(`/licenses/${_id}`, ada)).body;

  it('201: revokes the license and returns it with its replacement', async () => {
    const old = await createLicense(app, ada, { duration: 3, services: ['Domain', 'Hosting'] });
    await activate(app, old, LAPTOP);
    app.clock.advance({ seconds: 60 });
    const before = await read(old);
    const { status, body } = await reissue(old);
    const now = app.clock.now().toISOString();
    const { revoked, license } = body;

    expect([status, body.message]).toEqual([201, 'License reissued successfully']);
    expect(revoked).toEqual({
      ...before,
      ...{ status: 'REVOKED', revokedReason: 'Reissued', revokedAt: now, updatedAt: now },
    });
    expect(license).toEqual({
      ...old,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      key: expect.stringMatching(new RegExp(`^LIC-${old.project}(-[A-Z0-9]{4}){3}$`)),
      ...{ replaces: old._id, issuedAt: now, expiresAt: '2026-04-30T10:16:00.000Z' },
      ...{ createdAt: now, updatedAt: now },
    });
    expect(license.key).not.toBe(old.key);
    expect([await read(old), await read(license)]).toEqual([revoked, license]);
  });

  it('201: ends the old key at once, and the new one activates on another machine', async () => {
    const old = await createLicense(app, ada);
    await activate(app, old, LAPTOP);
    expect(await validationOf(app, old, LAPTOP)).toBe('active');
    const { license } = (await reissue(old)).body;

    expect(await validationOf(app, old, LAPTOP)).toBe('revoked');
    expect((await activate(app, old, LAPTOP)).body.message).toBe('License has been revoked');
    expect(await validationOf(app, license, DESKTOP)).toBe('pending');
    expect((await activate(app, license, DESKTOP)).status).toBe(200);
    expect(await validationOf(app, license, LAPTOP)).toBe('machine_mismatch');
  });

  it.each([
    [undefined, 3],
    [{ duration: null }, 3],
    [{ duration: 12 }, 12],
  ])('201: for %j the replacement lasts for %i months', async (body, months) => {
    const { license } = (await reissue(await createLicense(app, ada, { duration: 3 }), body)).body;

    expect(license.duration).toBe(months);
  });

  it.each([0, 13, '6'])(
    '400: says "Invalid duration" for %j, and revokes nothing',
    async (duration) => {
      const old = await createLicense(app, ada);
      const { status, body } = await reissue(old, { duration });

      expect([status, body.message]).toEqual([400, 'Invalid duration']);
      expect(await read(old)).toEqual(old);
    },
  );

  it('409: a REVOKED license gets no replacement', async () => {
    const old = await createLicense(app, ada);
    await app.post(`/licenses/${old._id}/revoke`, {}, ada);

    expectError(await reissue(old), [409, 'LICENSE_ALREADY_REVOKED'], {
      message: 'License has already been revoked',
    });
    expect((await app.get(`/licenses?projectId=${old.project}`, ada)).body.data).toHaveLength(1);
  });
});
