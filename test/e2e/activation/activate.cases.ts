import { LicenseEvents } from '../../../src/licenses/license-events.service.js';
import { DESKTOP, LAPTOP, unknownKey } from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { useDeveloper } from '../use-app.js';

/** What no license key is, and what stands where a key is missing. */
const UNKNOWN = [unknownKey(), 'nonsense', 'x'.repeat(10_000), unknownKey().replaceAll('A', '%')];
const MISSING = [undefined, null, ' \n ', 5, { $ne: null }];

describe('POST /validate/activate and POST /validate', () => {
  const [app, ada] = useDeveloper();

  const activate = (body: object) => app.post('/validate/activate', body);
  const validate = async (body: object) => {
    const { status, body: response } = await app.post('/validate', body);
    expect(status).toBe(200);
    return response;
  };

  it('bind a license to the machine, begin its term then and not at its creation, and succeed again without the machine id', async () => {
    const license = await app.createLicense(ada, { duration: 1 });
    // A PENDING license does not expire.
    app.clock.set('2030-01-31T08:00:00.000Z');
    const { status, body } = await activate({ key: license.key, fingerprint: LAPTOP });
    const term = { activatedAt: '2030-01-31T08:00:00.000Z', expiresAt: '2030-02-28T08:00:00.000Z' };

    expectResponse({ status, body }, 200, {
      ...{ success: true, message: 'License activated successfully', ...term },
      machineId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const read = await app.get(`/licenses/${license._id}`, await app.logIn(ada));
    expect(read.body).toMatchObject({
      ...{ status: 'ACTIVE', machineId: body.machineId, issuedAt: term.activatedAt, ...term },
    });
    app.clock.advance({ seconds: 3600 });
    expectResponse(await activate({ key: license.key, fingerprint: LAPTOP }), 200, {
      ...{ success: true, message: 'License already activated on this machine', ...term },
    });
  });

  it('go by the machine of the service if no fingerprint is sent, by any form of the key, and ignore unknown fields', async () => {
    const { key } = await app.createLicense(ada);
    const form = `  ${key.toLowerCase()}\n`;

    expect((await activate({ key: form, os: { name: 'x' } })).body.machineId).toBeDefined();
    expect((await activate({ key, fingerprint: null })).body.message).toMatch(/already activated/);
    expect((await validate({ key, productName: 'Shop' })).status).toBe('active');
    expect((await activate({ key, fingerprint: LAPTOP })).status).toBe(403);
  });

  it('say what a license is at once, whatever they said before: pending, active, expired, revoked', async () => {
    const terms = { duration: 1, services: ['Hosting', 'Domain'] };
    const license = await app.createLicense(ada, terms);
    const check = { key: license.key, fingerprint: LAPTOP };
    expect(await validate(check)).toEqual({
      ...{ valid: false, status: 'pending', message: 'License has not been activated' },
    });
    // It has bound nothing.
    expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);

    const { activatedAt, expiresAt } = (await activate(check)).body;
    expect(await validate(check)).toEqual({
      ...{ valid: true, status: 'active', message: 'License is valid' },
      ...{ ...terms, activatedAt, expiresAt, entitlements: [] },
    });
    app.clock.set(expiresAt as string);
    expect(await validate(check)).toEqual({
      ...{ valid: false, status: 'expired', message: 'License has expired', expiresAt },
    });
    expectError(await activate(check), [403, 'LICENSE_EXPIRED'], { success: false });
    await app.post(`/licenses/${license._id}/revoke`, {}, await app.logIn(ada));
    expect(await validate(check)).toEqual({
      ...{ valid: false, status: 'revoked', message: 'License has been revoked' },
    });
    expectError(await activate(check), [403, 'LICENSE_REVOKED'], { success: false });
    // Without `certificate`, no keys are created.
    expect((await app.get(`/keys/${ada._id}`)).body).toEqual({ keys: [] });
  });

  it('reject another machine, even if that cannot be recorded, which the log says, and tell nothing of the license', async () => {
    const { key } = await app.createLicense(ada);
    await activate({ key, fingerprint: LAPTOP });
    const events = app.nest.get(LicenseEvents, { strict: false });
    const failure = new Error('database or disk is full');
    const recordDaily = jest.spyOn(events, 'recordDaily').mockRejectedValueOnce(failure);
    const logged = app.log.length;
    const responses = [await activate({ key, fingerprint: DESKTOP }), await activate({ key })];
    recordDaily.mockRestore();

    for (const response of responses) {
      expectError(response, [403, 'LICENSE_ON_ANOTHER_MACHINE'], { success: false });
    }
    const errors = app.log.slice(logged).filter((line) => line.includes('"level":50'));
    expect(errors).toEqual([
      expect.stringMatching(/rejected activation.*database or disk is full/),
    ]);
    expect(errors[0]).toContain(responses[0]!.body.requestId);
    for (const fingerprint of [DESKTOP, undefined]) {
      const message = 'License is activated on another machine';
      expect(await validate({ key, fingerprint })).toEqual({
        ...{ valid: false, status: 'machine_mismatch', message },
      });
    }
  });

  it('404 and "invalid" for an unknown key, 400 for a missing one, and for a fingerprint that is none', async () => {
    for (const key of UNKNOWN) {
      expectError(await activate({ key }), [404, 'LICENSE_NOT_FOUND'], { success: false });
      expect(await validate({ key })).toEqual({
        ...{ valid: false, status: 'invalid', message: 'License not found' },
      });
    }
    for (const key of MISSING) {
      expectError(await activate({ key }), [400, 'LICENSE_KEY_REQUIRED'], { success: false });
      const validation = await app.post('/validate', { key });
      expectError(validation, [400, 'LICENSE_KEY_REQUIRED'], { valid: false });
    }
    // It must not bind to another machine.
    const license = await app.createLicense(ada);
    for (const fingerprint of ['', 'x'.repeat(15), 'x'.repeat(257)]) {
      expectInvalid(await activate({ key: license.key, fingerprint }), 'fingerprint');
    }
    expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
  });
});

describe('REQUIRE_FINGERPRINT=true', () => {
  const [app, ada] = useDeveloper({ REQUIRE_FINGERPRINT: 'true' });

  it('rejects { key } alone at both, before the key is looked up', async () => {
    const { key } = await app.createLicense(ada);
    for (const [path, marker] of [
      ['/validate/activate', { success: false }],
      ['/validate', { valid: false }],
    ] as const) {
      expectError(await app.post(path, { key: 'x' }), [400, 'FINGERPRINT_REQUIRED'], marker);
      expectError(await app.post(path, {}), [400, 'LICENSE_KEY_REQUIRED']);
      expect((await app.post(path, { key, fingerprint: LAPTOP })).status).toBe(200);
    }
  });
});
