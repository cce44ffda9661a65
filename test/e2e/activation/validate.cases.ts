import { START } from '../../fake-clock.js';
import { activate, createLicense, DESKTOP, LAPTOP, logIn, unknownKey } from '../developer.js';
import { expectError } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('POST /validate', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  beforeEach(() => app.clock.set(START));

  const validate = async (body: object) => {
    const { status, body: response } = await app.post('/validate', body);
    expect(status).toBe(200);
    return response;
  };

  it('says what a license is at once, whatever it said before: pending, active, expired, revoked', async () => {
    const terms = { duration: 1, services: ['Hosting', 'Domain'] };
    const license = await createLicense(app, ada, terms);
    const check = { key: license.key, fingerprint: LAPTOP, productName: 'Shop' };
    expect(await validate(check)).toEqual({
      ...{ valid: false, status: 'pending', message: 'License has not been activated' },
    });
    // It has bound nothing.
    expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);

    const { activatedAt, expiresAt } = (await activate(app, license, LAPTOP)).body;
    const active = {
      ...{ valid: true, status: 'active', message: 'License is valid' },
      ...{ ...terms, activatedAt, expiresAt },
    };
    expect(await validate(check)).toEqual(active);
    app.clock.set(new Date(Date.parse(expiresAt) - 1).toISOString());
    expect(await validate(check)).toEqual(active);
    app.clock.set(expiresAt);
    expect(await validate(check)).toEqual({
      ...{ valid: false, status: 'expired', message: 'License has expired', expiresAt },
    });
    await app.post(`/licenses/${license._id}/revoke`, {}, await logIn(app, ada));
    expect(await validate(check)).toEqual({
      ...{ valid: false, status: 'revoked', message: 'License has been revoked' },
    });
  });

  it('says "machine_mismatch" on another machine, and nothing of the license', async () => {
    const license = await createLicense(app, ada);
    await activate(app, license, LAPTOP);
    const message = 'License is activated on another machine';

    for (const fingerprint of [DESKTOP, undefined]) {
      expect(await validate({ key: license.key, fingerprint })).toEqual({
        ...{ valid: false, status: 'machine_mismatch', message },
      });
    }
  });

  it.each([unknownKey(), 'nonsense', 'x'.repeat(10_000)])('says "invalid" for %s', async (key) => {
    expect(await validate({ key })).toEqual({
      ...{ valid: false, status: 'invalid', message: 'License not found' },
    });
  });

  it.each([undefined, ' ', { $regex: '.*' }])(
    '400: says "License key is required" where it is %j',
    async (key) => {
      expectError(await app.post('/validate', { key }), [400, 'LICENSE_KEY_REQUIRED'], {
        ...{ valid: false, message: 'License key is required' },
      });
    },
  );
});
