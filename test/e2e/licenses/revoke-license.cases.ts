import { ENGINES } from '../../engines.js';
import { createLicense, logIn } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

describe.each(ENGINES)('POST /licenses/:id/revoke on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  it('revokes a PENDING license, and keeps the reason', async () => {
    const license = await createLicense(app, ada);
    const response = await app.post(
      `/licenses/${license._id}/revoke`,
      { reason: ' Contract ended ' },
      ada,
    );

    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      message: 'License revoked successfully',
      license: {
        ...license,
        status: 'REVOKED',
        revokedAt: '2026-01-31T10:15:00.000Z',
        revokedReason: 'Contract ended',
      },
    });
    expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(response.body.license);
  });

  it.each([
    ['no body', undefined],
    ['an empty reason', { reason: '' }],
    ['null', { reason: null }],
  ])('needs no reason: %s', async (_case, body) => {
    const { _id } = await createLicense(app, ada);
    const response = body
      ? await app.post(`/licenses/${_id}/revoke`, body, ada)
      : await app.send('POST', `/licenses/${_id}/revoke`, undefined, ada);

    expect(response.status).toBe(200);
    expect(response.body.license).toMatchObject({ status: 'REVOKED', revokedReason: null });
  });

  it('revokes an ACTIVE and an EXPIRED license', async () => {
    const [active, expired] = await Promise.all([createLicense(app, ada), createLicense(app, ada)]);
    await app.post('/validate/activate', { key: active.key });
    await app.post('/validate/activate', { key: expired.key });
    expect((await app.post(`/licenses/${active._id}/revoke`, {}, ada)).body.license.status).toBe(
      'REVOKED',
    );
    app.clock.set('2026-12-01T00:00:00.000Z');
    const later = await logIn(app, ada);
    expect((await app.get(`/licenses/${expired._id}`, later)).body.status).toBe('EXPIRED');
    expect((await app.post(`/licenses/${expired._id}/revoke`, {}, later)).body.license.status).toBe(
      'REVOKED',
    );
    app.clock.set('2026-01-31T10:15:00.000Z');
  });

  it('changes nothing when it is done again', async () => {
    const { _id } = await createLicense(app, ada);
    const first = await app.post(`/licenses/${_id}/revoke`, { reason: 'first' }, ada);
    app.clock.advance({ seconds: 60 });
    const second = await app.post(`/licenses/${_id}/revoke`, { reason: 'second' }, ada);

    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });

  it.each([
    ['a reason of 501 characters', { reason: 'x'.repeat(501) }],
    ['a reason that is a number', { reason: 5 }],
    ['a reason that is an operator', { reason: { $gt: '' } }],
  ])('400: rejects %s', async (_case, body) => {
    const { _id } = await createLicense(app, ada);
    const response = await app.post(`/licenses/${_id}/revoke`, body, ada);

    expect(response.status).toBe(400);
    expect(response.body.message).toBe('Validation error');
    expect((await app.get(`/licenses/${_id}`, ada)).body.status).toBe('PENDING');
  });
});
