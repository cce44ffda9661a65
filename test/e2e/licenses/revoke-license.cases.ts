import { START } from '../../fake-clock.js';
import { activate, createLicense, moveTo } from '../developer.js';
import { expectInvalid, expectResponse } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('POST /licenses/:id/revoke', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  const revoke = ({ _id }: { _id: string }, body: unknown) =>
    app.post(`/licenses/${_id}/revoke`, body, ada);

  it('revokes a PENDING license, and keeps the reason', async () => {
    const license = await createLicense(app, ada);
    const { status, body } = await revoke(license, { reason: ' Contract ended ' });

    expectResponse({ status, body }, 200, {
      message: 'License revoked successfully',
      license: {
        ...license,
        status: 'REVOKED',
        revokedAt: START,
        revokedReason: 'Contract ended',
      },
    });
    expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(body.license);
  });

  it.each([undefined, {}, { reason: '' }])('needs no reason: %j', async (body) => {
    const { license } = (await revoke(await createLicense(app, ada), body)).body;

    expect(license).toMatchObject({ status: 'REVOKED', revokedReason: null });
  });

  it('revokes an ACTIVE and an EXPIRED license', async () => {
    const [active, expired] = [await createLicense(app, ada), await createLicense(app, ada)];
    for (const license of [active, expired]) await activate(app, license);
    expect((await revoke(active, {})).body.license.status).toBe('REVOKED');
    await moveTo(app, ada, '2026-12-01T00:00:00.000Z');

    expect((await app.get(`/licenses/${expired._id}`, ada)).body.status).toBe('EXPIRED');
    expect((await revoke(expired, {})).body.license.status).toBe('REVOKED');
    await moveTo(app, ada, START);
  });

  it('changes nothing when it is done again', async () => {
    const license = await createLicense(app, ada);
    const first = await revoke(license, { reason: 'first' });
    app.clock.advance({ seconds: 60 });
    const second = await revoke(license, { reason: 'second' });

    expectResponse(second, 200, first.body);
  });

  it.each(['x'.repeat(501), 5])('400: rejects the reason %j', async (reason) => {
    const license = await createLicense(app, ada);

    expectInvalid(await revoke(license, { reason }), 'reason');
    expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
  });
});
