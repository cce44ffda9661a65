import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import { atOnce, statusesOf } from '../at-once.js';
import { createLicense, logIn, unknownKey } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

const LAPTOP = 'laptop-of-the-customer';
const DESKTOP = 'desktop-of-the-customer';

describe.each(ENGINES)('POST /validate/activate on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  beforeEach(() => app.clock.set(START));

  const activate = (body: object) => app.post('/validate/activate', body);

  describe('200', () => {
    it('binds the license to the machine, and begins its term now, not at its creation', async () => {
      const license = await createLicense(app, ada, { duration: 1 });
      app.clock.set('2026-03-31T08:00:00.000Z');
      const response = await activate({ key: license.key, fingerprint: LAPTOP });

      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        success: true,
        message: 'License activated successfully',
        machineId: expect.stringMatching(/^[0-9a-f]{64}$/),
        activatedAt: '2026-03-31T08:00:00.000Z',
        expiresAt: '2026-04-30T08:00:00.000Z',
      });
      expect((await app.get(`/licenses/${license._id}`, await logIn(app, ada))).body).toMatchObject(
        {
          status: 'ACTIVE',
          machineId: response.body.machineId,
          issuedAt: '2026-03-31T08:00:00.000Z',
          expiresAt: '2026-04-30T08:00:00.000Z',
          activatedAt: '2026-03-31T08:00:00.000Z',
        },
      );
    });

    it('succeeds again on the same machine, without the machine id', async () => {
      const { key } = await createLicense(app, ada);
      const first = await activate({ key, fingerprint: LAPTOP });
      app.clock.advance({ seconds: 3600 });
      const again = await activate({ key, fingerprint: LAPTOP });

      expect(again.status).toBe(200);
      expect(again.body).toEqual({
        success: true,
        message: 'License already activated on this machine',
        activatedAt: first.body.activatedAt,
        expiresAt: first.body.expiresAt,
      });
    });

    it('binds the license to the machine of the service if no fingerprint is sent', async () => {
      const { key } = await createLicense(app, ada);

      expect((await activate({ key })).body.message).toBe('License activated successfully');
      expect((await activate({ key, fingerprint: null })).body.message).toBe(
        'License already activated on this machine',
      );
    });

    it('compares the key trimmed and without regard to case', async () => {
      const { key } = await createLicense(app, ada);

      expect((await activate({ key: `  ${key.toLowerCase()}\n` })).status).toBe(200);
    });

    it('ignores fields that it does not know', async () => {
      const { key } = await createLicense(app, ada);
      const response = await activate({
        key,
        productName: 'Web shop',
        version: 3,
        os: { name: 'x' },
      });

      expect(response.status).toBe(200);
    });

    it('activates a PENDING license however old it is', async () => {
      const { key } = await createLicense(app, ada, { duration: 1 });
      app.clock.set('2030-01-01T00:00:00.000Z');

      expect((await activate({ key })).body.expiresAt).toBe('2030-02-01T00:00:00.000Z');
    });

    it('binds the license to exactly one of 20 concurrent machines', async () => {
      const { key, _id } = await createLicense(app, ada);
      const responses = await atOnce(20, (i) =>
        activate({ key, fingerprint: `machine-number-${i + 10}` }),
      );
      const bound = responses.filter(({ status }) => status === 200);

      expect(bound).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 403)).toHaveLength(19);
      expect((await app.get(`/licenses/${_id}`, ada)).body.machineId).toBe(
        bound[0]?.body.machineId,
      );
    });

    it('succeeds for each of 20 concurrent calls of one machine, and once as the first activation', async () => {
      const { key } = await createLicense(app, ada);
      const responses = await atOnce(20, () => activate({ key, fingerprint: LAPTOP }));

      expect(statusesOf(responses)).toEqual(Array(20).fill(200));
      expect(responses.filter(({ body }) => body.machineId)).toHaveLength(1);
    });
  });

  describe('400', () => {
    it.each([
      ['absent', {}],
      ['null', { key: null }],
      ['empty', { key: '' }],
      ['blank', { key: ' \n ' }],
      ['a number', { key: 5 }],
      ['an operator', { key: { $ne: null } }],
      ['an array', { key: ['LIC'] }],
    ])('says "License key is required" where it is %s', async (_case, body) => {
      const response = await activate(body);

      expect(response.status).toBe(400);
      expect(response.body).toEqual({
        success: false,
        message: 'License key is required',
        code: 'LICENSE_KEY_REQUIRED',
        requestId: response.headers.get('x-request-id'),
      });
    });

    it.each([
      ['empty', ''],
      ['of 15 characters', 'x'.repeat(15)],
      ['of 257 characters', 'x'.repeat(257)],
      ['a number', 5],
      ['an operator', { $ne: null }],
    ])(
      'rejects a fingerprint that is %s: it must not bind to another machine',
      async (_case, fingerprint) => {
        const { key, _id } = await createLicense(app, ada);
        const response = await activate({ key, fingerprint });

        expect(response.status).toBe(400);
        expect(response.body).toMatchObject({
          success: false,
          message: 'Validation error',
          errors: { fingerprint: expect.any(Array) },
        });
        expect((await app.get(`/licenses/${_id}`, ada)).body.status).toBe('PENDING');
      },
    );
  });

  describe('403', () => {
    it('rejects another machine, another fingerprint and none alike', async () => {
      const { key } = await createLicense(app, ada);
      await activate({ key, fingerprint: LAPTOP });

      for (const machine of [{ fingerprint: DESKTOP }, {}]) {
        const response = await activate({ key, ...machine });
        expect(response.status).toBe(403);
        expect(response.body).toMatchObject({
          success: false,
          message: 'License already activated on another machine',
          code: 'LICENSE_ON_ANOTHER_MACHINE',
        });
      }
    });

    it('rejects a fingerprint if the license is bound to the machine of the service', async () => {
      const { key } = await createLicense(app, ada);
      await activate({ key });

      expect((await activate({ key, fingerprint: LAPTOP })).status).toBe(403);
    });

    it('rejects a revoked license, whatever the machine', async () => {
      const { key, _id } = await createLicense(app, ada);
      await activate({ key, fingerprint: LAPTOP });
      await app.post(`/licenses/${_id}/revoke`, {}, ada);

      for (const fingerprint of [LAPTOP, DESKTOP]) {
        const response = await activate({ key, fingerprint });
        expect(response.status).toBe(403);
        expect(response.body).toMatchObject({
          success: false,
          message: 'License has been revoked',
          code: 'LICENSE_REVOKED',
        });
      }
    });

    it('rejects an expired license from the millisecond of its end on, whatever the machine', async () => {
      const { key } = await createLicense(app, ada, { duration: 1 });
      const { expiresAt } = (await activate({ key, fingerprint: LAPTOP })).body;
      app.clock.set(new Date(Date.parse(expiresAt) - 1).toISOString());
      expect((await activate({ key, fingerprint: LAPTOP })).status).toBe(200);
      app.clock.set(expiresAt);

      for (const fingerprint of [LAPTOP, DESKTOP]) {
        const response = await activate({ key, fingerprint });
        expect(response.status).toBe(403);
        expect(response.body).toMatchObject({
          success: false,
          message: 'License has expired',
          code: 'LICENSE_EXPIRED',
        });
      }
    });

    it('says "revoked" of a license that is expired too', async () => {
      const { key, _id } = await createLicense(app, ada, { duration: 1 });
      await activate({ key });
      await app.post(`/licenses/${_id}/revoke`, {}, ada);
      app.clock.set('2030-01-01T00:00:00.000Z');

      expect((await activate({ key })).body.message).toBe('License has been revoked');
    });
  });

  it.each([
    ['of the right shape', unknownKey()],
    ['of no shape at all', 'nonsense'],
    ['10 kB long', 'x'.repeat(10_000)],
    ['with a wildcard', `LIC-${'0'.repeat(24)}-%-%-%`],
  ])('404: says "License not found" for a key %s', async (_case, key) => {
    const response = await activate({ key });

    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({
      success: false,
      message: 'License not found',
      code: 'LICENSE_NOT_FOUND',
    });
  });

  it('gives one machine another id in each project', async () => {
    const [one, two] = await Promise.all([createLicense(app, ada), createLicense(app, ada)]);
    const first = await activate({ key: one.key, fingerprint: LAPTOP });
    const second = await activate({ key: two.key, fingerprint: LAPTOP });

    expect(first.body.machineId).not.toBe(second.body.machineId);
  });
});

describe.each(ENGINES)('REQUIRE_FINGERPRINT=true on %s', (engine) => {
  const app = useApp(engine, { REQUIRE_FINGERPRINT: 'true' });
  const ada = useDeveloper(app);

  it.each([
    ['/validate/activate', { success: false }],
    ['/validate', { valid: false }],
  ])('rejects { key } alone at %s, before the key is looked up', async (path, marker) => {
    const response = await app.post(path, { key: 'unknown' });

    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      ...marker,
      message: 'Fingerprint is required',
      code: 'FINGERPRINT_REQUIRED',
    });
    expect((await app.post(path, {})).body.message).toBe('License key is required');
  });

  it('activates and validates with a fingerprint', async () => {
    const { key } = await createLicense(app, ada);
    const machine = { key, fingerprint: LAPTOP };

    expect((await app.post('/validate/activate', machine)).status).toBe(200);
    expect((await app.post('/validate', machine)).body.valid).toBe(true);
  });
});
