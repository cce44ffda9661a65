import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import { atOnce } from '../at-once.js';
import { createLicense, unknownKey } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

const LAPTOP = 'laptop-of-the-customer';

describe.each(ENGINES)('POST /validate on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  beforeEach(() => app.clock.set(START));

  const activate = (body: object) => app.post('/validate/activate', body);
  const validate = async (body: object) => {
    const { status, body: response } = await app.post('/validate', body);
    expect(status).toBe(200);
    return response;
  };

  it('says "active" on the machine that the license is bound to, with its terms', async () => {
    const { key } = await createLicense(app, ada, { duration: 3, services: ['Hosting', 'Domain'] });
    await activate({ key, fingerprint: LAPTOP });

    expect(await validate({ key, fingerprint: LAPTOP, productName: 'Shop' })).toEqual({
      valid: true,
      status: 'active',
      message: 'License is valid',
      duration: 3,
      services: ['Hosting', 'Domain'],
      activatedAt: '2026-01-31T10:15:00.000Z',
      expiresAt: '2026-04-30T10:15:00.000Z',
    });
  });

  it('says "machine_mismatch" on another machine, and nothing of the license', async () => {
    const { key } = await createLicense(app, ada);
    await activate({ key, fingerprint: LAPTOP });
    const mismatch = {
      valid: false,
      status: 'machine_mismatch',
      message: 'License is activated on another machine',
    };

    expect(await validate({ key, fingerprint: 'another-machine-0001' })).toEqual(mismatch);
    expect(await validate({ key })).toEqual(mismatch);
  });

  it('says "pending" before the activation, and binds nothing', async () => {
    const { key, _id } = await createLicense(app, ada);

    expect(await validate({ key, fingerprint: LAPTOP })).toEqual({
      valid: false,
      status: 'pending',
      message: 'License has not been activated',
    });
    expect((await app.get(`/licenses/${_id}`, ada)).body).toMatchObject({
      status: 'PENDING',
      machineId: null,
    });
  });

  it('says "expired" from the millisecond of the end on, even if it said "active" before', async () => {
    const { key } = await createLicense(app, ada, { duration: 1 });
    const { expiresAt } = (await activate({ key })).body;
    app.clock.set(new Date(Date.parse(expiresAt) - 1).toISOString());
    expect((await validate({ key })).status).toBe('active');
    app.clock.set(expiresAt);

    expect(await validate({ key })).toEqual({
      valid: false,
      status: 'expired',
      message: 'License has expired',
      expiresAt,
    });
  });

  it('says "revoked" as soon as the revocation is acknowledged, even if it said "active" before', async () => {
    const { key, _id } = await createLicense(app, ada);
    await activate({ key });
    expect((await validate({ key })).status).toBe('active');
    await app.post(`/licenses/${_id}/revoke`, {}, ada);

    expect(await validate({ key })).toEqual({
      valid: false,
      status: 'revoked',
      message: 'License has been revoked',
    });
  });

  it('says "active" as soon as the activation is acknowledged, even if it said "pending" before', async () => {
    const { key } = await createLicense(app, ada);
    expect((await validate({ key })).status).toBe('pending');
    await activate({ key });

    expect((await validate({ key })).status).toBe('active');
  });

  it.each([unknownKey(), 'nonsense', 'x'.repeat(10_000)])(
    'says "invalid" for a key that no license has',
    async (key) => {
      expect(await validate({ key })).toEqual({
        valid: false,
        status: 'invalid',
        message: 'License not found',
      });
    },
  );

  it.each([
    ['absent', {}],
    ['null', { key: null }],
    ['blank', { key: ' ' }],
    ['an operator', { key: { $regex: '.*' } }],
  ])('400: says "License key is required" where it is %s', async (_case, body) => {
    const response = await app.post('/validate', body);

    expect(response.status).toBe(400);
    expect(response.body).toEqual({
      valid: false,
      message: 'License key is required',
      code: 'LICENSE_KEY_REQUIRED',
      requestId: response.headers.get('x-request-id'),
    });
  });

  it('never says "active" to 20 concurrent callers after an acknowledged revocation', async () => {
    for (let round = 0; round < 5; round++) {
      const { key, _id } = await createLicense(app, ada);
      await activate({ key });
      let revoked = false;
      const asking = atOnce(20, async () => {
        // Each goes on until it has sent one request after the acknowledgement.
        for (;;) {
          const asksLate = revoked;
          const { status } = await validate({ key });
          if (asksLate) return status;
        }
      });
      await app.post(`/licenses/${_id}/revoke`, {}, ada);
      revoked = true;

      expect(await asking).toEqual(Array(20).fill('revoked'));
    }
  });
});
