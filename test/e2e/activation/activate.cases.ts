import { LicenseEventsService } from '../../../src/licenses/license-events.service.js';
import { START } from '../../fake-clock.js';
import { createLicense, DESKTOP, LAPTOP, logIn, unknownKey } from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('POST /validate/activate', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  beforeEach(() => app.clock.set(START));

  const activate = (body: object) => app.post('/validate/activate', body);

  it('200: binds the license to the machine, and begins its term now, not at its creation', async () => {
    const license = await createLicense(app, ada, { duration: 1 });
    // A PENDING license does not expire.
    app.clock.set('2030-01-31T08:00:00.000Z');
    const { status, body } = await activate({ key: license.key, fingerprint: LAPTOP });
    const term = { activatedAt: '2030-01-31T08:00:00.000Z', expiresAt: '2030-02-28T08:00:00.000Z' };

    expectResponse({ status, body }, 200, {
      ...{ success: true, message: 'License activated successfully', ...term },
      machineId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const read = await app.get(`/licenses/${license._id}`, await logIn(app, ada));
    expect(read.body).toMatchObject({
      ...{ status: 'ACTIVE', machineId: body.machineId, issuedAt: term.activatedAt, ...term },
    });
  });

  it('200: succeeds again on the same machine, without the machine id', async () => {
    const { key } = await createLicense(app, ada);
    const { activatedAt, expiresAt } = (await activate({ key, fingerprint: LAPTOP })).body;
    app.clock.advance({ seconds: 3600 });
    const again = await activate({ key, fingerprint: LAPTOP });

    expectResponse(again, 200, {
      ...{ success: true, message: 'License already activated on this machine' },
      ...{ activatedAt, expiresAt },
    });
  });

  it('200: binds the license to the machine of the service if no fingerprint is sent', async () => {
    const { key } = await createLicense(app, ada);

    expect((await activate({ key })).body.message).toBe('License activated successfully');
    expect((await activate({ key, fingerprint: null })).body.message).toBe(
      'License already activated on this machine',
    );
    expect((await activate({ key, fingerprint: LAPTOP })).status).toBe(403);
  });

  it('200: compares the key trimmed and without regard to case, and ignores unknown fields', async () => {
    const key = `  ${(await createLicense(app, ada)).key.toLowerCase()}\n`;

    expect((await activate({ key, productName: 'Web shop', os: { name: 'x' } })).status).toBe(200);
  });

  it.each([undefined, null, ' \n ', 5, { $ne: null }])(
    '400: says "License key is required" where it is %j',
    async (key) => {
      expectError(await activate({ key }), [400, 'LICENSE_KEY_REQUIRED'], {
        ...{ success: false, message: 'License key is required' },
      });
    },
  );

  it.each(['', 'x'.repeat(15), 'x'.repeat(257)])(
    '400: rejects the fingerprint %j: it must not bind to another machine',
    async (fingerprint) => {
      const license = await createLicense(app, ada);
      const response = await activate({ key: license.key, fingerprint });

      expectInvalid(response, 'fingerprint');
      expect(response.body).toMatchObject({ success: false });
      expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
    },
  );

  it('403: rejects another fingerprint, and none, even if that cannot be recorded, which the log says', async () => {
    const { key } = await createLicense(app, ada);
    await activate({ key, fingerprint: LAPTOP });
    const events = app.nest.get(LicenseEventsService, { strict: false });
    const failure = new Error('database or disk is full');
    const recordRejection = jest.spyOn(events, 'recordRejection').mockRejectedValueOnce(failure);
    const responses = [await activate({ key, fingerprint: DESKTOP }), await activate({ key })];
    recordRejection.mockRestore();

    for (const response of responses) {
      expectError(response, [403, 'LICENSE_ON_ANOTHER_MACHINE'], {
        ...{ success: false, message: 'License already activated on another machine' },
      });
    }
    const errors = app.log.filter((line) => line.includes('"level":50'));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/rejected activation.*database or disk is full/);
    expect(errors[0]).toContain(responses[0]!.body.requestId);
  });

  it('403: rejects an expired license from the millisecond of its end on, and then a revoked one, whatever the machine', async () => {
    const { key, _id } = await createLicense(app, ada, { duration: 1 });
    const { expiresAt } = (await activate({ key, fingerprint: LAPTOP })).body;
    const expectRejected = async (code: string, message: string) => {
      for (const fingerprint of [LAPTOP, DESKTOP]) {
        const response = await activate({ key, fingerprint });
        expectError(response, [403, code], { success: false, message });
      }
    };
    app.clock.set(new Date(Date.parse(expiresAt) - 1).toISOString());
    expect((await activate({ key, fingerprint: LAPTOP })).status).toBe(200);
    app.clock.set(expiresAt);
    await expectRejected('LICENSE_EXPIRED', 'License has expired');
    await app.post(`/licenses/${_id}/revoke`, {}, await logIn(app, ada));
    await expectRejected('LICENSE_REVOKED', 'License has been revoked');
  });

  it.each([unknownKey(), 'nonsense', 'x'.repeat(10_000), unknownKey().replaceAll('A', '%')])(
    '404: says "License not found" for %s',
    async (key) => {
      expectError(await activate({ key }), [404, 'LICENSE_NOT_FOUND'], {
        ...{ success: false, message: 'License not found' },
      });
    },
  );
});

describe('REQUIRE_FINGERPRINT=true', () => {
  const app = useApp({ REQUIRE_FINGERPRINT: 'true' });
  const ada = useDeveloper(app);

  it.each([
    ['/validate/activate', { success: false }],
    ['/validate', { valid: false }],
  ])('rejects { key } alone at %s, before the key is looked up', async (path, marker) => {
    expectError(await app.post(path, { key: 'unknown' }), [400, 'FINGERPRINT_REQUIRED'], {
      ...{ ...marker, message: 'Fingerprint is required' },
    });
    expect((await app.post(path, {})).body.message).toBe('License key is required');
    const { key } = await createLicense(app, ada);
    expect((await app.post(path, { key, fingerprint: LAPTOP })).status).toBe(200);
  });
});
