import { createHash } from 'node:crypto';
import { EVERY_ENGINE } from '../../engines.js';
import { START } from '../../fake-clock.js';
import { atOnce, statusesOf } from '../at-once.js';
import {
  activate,
  createClient,
  createLicense,
  createProject,
  type CreatedLicense,
  logIn,
  registerDeveloper,
  validationOf,
} from '../developer.js';
import { everythingOf } from '../everything.js';
import { readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';
import { machineOf, secondsOf, signingKeysOf, verifyCertificate } from './verify-certificate.js';

const DAY = 24 * 60 * 60;
const LAPTOP = 'laptop-of-the-customer';
const DESKTOP = 'desktop-of-the-customer';

interface Event {
  readonly _id: string;
  readonly type: string;
  readonly at: string;
}

/** `check` of a request, as the software that requests a certificate computes it. */
const checkOf = (product: string, fingerprint: string) =>
  createHash('sha256')
    .update(`license-request:v1\n${product}\n${fingerprint}`)
    .digest('hex')
    .slice(0, 8);

describe.each(EVERY_ENGINE)('POST /licenses/:id/certificates on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  beforeEach(async () => {
    app.clock.set(START);
    Object.assign(ada, await logIn(app, ada));
  });

  const issue = (
    { _id, project }: CreatedLicense,
    fields: object = {},
    headers: Record<string, string> = {},
  ) => {
    const body = { fingerprint: LAPTOP, product: project, days: 30, ...fields };
    return app.post(`/licenses/${_id}/certificates`, body, { token: ada.token, headers });
  };
  const verified = async (certificate: string) =>
    verifyCertificate(certificate, await signingKeysOf(app, ada)).claims;
  const read = async ({ _id }: { _id: string }) => (await app.get(`/licenses/${_id}`, ada)).body;
  const eventsOf = ({ _id }: { _id: string }) =>
    readPages<Event>(app, `/licenses/${_id}/events`, ada);
  const at = async (time: string) => {
    app.clock.set(time);
    Object.assign(ada, await logIn(app, ada));
  };
  const revoke = ({ _id }: { _id: string }) => app.post(`/licenses/${_id}/revoke`, {}, ada);
  const reissue = ({ _id }: { _id: string }, headers: Record<string, string> = {}) =>
    app.post(`/licenses/${_id}/reissue`, {}, { token: ada.token, headers });

  describe('201', () => {
    it('activates a PENDING license for that machine, with both events', async () => {
      const license = await createLicense(app, ada, { duration: 3, services: ['Domain'] });
      app.clock.advance({ seconds: 60.25 });
      const now = app.clock.now().toISOString();
      const response = await issue(license);
      const { certificate, license: activated } = response.body;

      expect(response.status).toBe(201);
      expect(response.body).toEqual({
        message: 'Certificate issued successfully',
        certificate: expect.any(String),
        license: {
          ...license,
          status: 'ACTIVE',
          machineId: expect.stringMatching(/^[0-9a-f]{64}$/),
          ...{ activatedAt: now, issuedAt: now, updatedAt: now },
          expiresAt: '2026-04-30T10:16:00.250Z',
        },
      });
      expect(await read(license)).toEqual(activated);
      const claims = await verified(certificate as string);
      expect(claims).toEqual({
        ...{ iss: ada._id, aud: license.project, sub: license._id, jti: expect.any(String) },
        ...{ iat: secondsOf(now), exp: secondsOf(now) + 30 * DAY },
        machine: machineOf(claims, LAPTOP),
        license: {
          ...{ duration: 3, services: ['Domain'] },
          ...{ activatedAt: now, expiresAt: '2026-04-30T10:16:00.250Z' },
        },
      });
      const event = {
        ...{ _id: expect.any(String), at: now, actor: ada._id, machineId: activated.machineId },
        ...{ reason: null, count: 1, certificateExpiresAt: null },
      };
      expect((await eventsOf(license)).slice(0, -1)).toEqual([
        {
          ...event,
          type: 'certificate_issued',
          certificateExpiresAt: new Date(claims.exp * 1000).toISOString(),
        },
        { ...event, type: 'activated' },
      ]);
      expect(await validationOf(app, license, LAPTOP)).toBe('active');
      expect(await validationOf(app, license, DESKTOP)).toBe('machine_mismatch');
    });

    it('leaves a license that is ACTIVE on this machine as it is, with one event each', async () => {
      const license = await createLicense(app, ada);
      await activate(app, license, LAPTOP);
      const before = await read(license);
      app.clock.advance({ seconds: 60 });
      const responses = [await issue(license), await issue(license, { days: 1 })];

      expect(statusesOf(responses)).toEqual([201, 201]);
      for (const { body } of responses) expect(body.license).toEqual(before);
      expect(await read(license)).toEqual(before);
      expect((await eventsOf(license)).map(({ type }) => type)).toEqual([
        ...['certificate_issued', 'certificate_issued', 'activated', 'created'],
      ]);
      const ids = await Promise.all(
        responses.map(async ({ body }) => (await verified(body.certificate as string)).jti),
      );
      expect(ids[0]).not.toBe(ids[1]);
    });

    it('names the product as it was sent: the label, or the id of the project', async () => {
      const client = await createClient(app, ada);
      const { license } = await createProject(app, ada, client._id, { product: 'Web-Shop' });
      for (const product of ['Web-Shop', license.project]) {
        const { body } = await issue(license, { product });
        expect((await verified(body.certificate as string)).aud).toBe(product);
      }
    });

    it.each([
      [1, '2026-02-01T10:15:00.000Z'],
      [366, '2027-01-31T10:15:00.000Z'],
      [365, '2027-01-31T10:15:00.000Z'],
      [364, '2027-01-30T10:15:00.000Z'],
    ])(
      'lasts for %i days, but not longer than a license of a year: until %s',
      async (days, end) => {
        const license = await createLicense(app, ada, { duration: 12 });
        const { body } = await issue(license, { days });

        expect((await verified(body.certificate as string)).exp).toBe(secondsOf(end));
      },
    );

    it('lasts for 366 days where the license lasts longer, as after a renewal', async () => {
      const license = await createLicense(app, ada, { duration: 12 });
      await activate(app, license, LAPTOP);
      await app.post(`/licenses/${license._id}/renew`, { duration: 12 }, ada);
      const { body } = await issue(license, { days: 366 });
      const claims = await verified(body.certificate as string);

      expect(claims.exp).toBe(secondsOf(START) + 366 * DAY);
      expect(claims.license.expiresAt).toBe('2028-01-31T10:15:00.000Z');
    });

    it('has at most 4,096 characters for the longest product, fingerprint and terms', async () => {
      const client = await createClient(app, ada);
      const product = 'x'.repeat(64);
      const terms = { duration: 12, services: ['Hosting', 'Domain'] };
      const { license } = await createProject(app, ada, client._id, { ...terms, product });
      const fingerprint = '~'.repeat(256);
      const { body } = await issue(license, { product, fingerprint, days: 366 });
      const claims = await verified(body.certificate as string);

      expect(claims.machine).toBe(machineOf(claims, fingerprint));
    });

    it.each([
      ['as it was computed', (check: string) => check],
      ['in upper case', (check: string) => check.toUpperCase()],
      ['with spaces around it', (check: string) => ` ${check} `],
      ['absent', () => undefined],
      ['null', () => null],
    ])('accepts `check` %s', async (_case, form) => {
      const license = await createLicense(app, ada);
      const check = form(checkOf(license.project, LAPTOP));

      expect((await issue(license, { check })).status).toBe(201);
    });

    it('has the same bytes and one event for a repeat with the same idempotency key', async () => {
      const license = await createLicense(app, ada);
      const headers = { 'Idempotency-Key': `certificate of ${license._id}` };
      const responses = await atOnce(10, () => issue(license, {}, headers));
      await revoke(license);
      const late = await issue(license, {}, headers);
      const other = await issue(license, { days: 31 }, headers);

      for (const { status, body } of [...responses, late]) {
        expect(status).toBe(201);
        expect(JSON.stringify(body)).toBe(JSON.stringify(responses[0]!.body));
      }
      expect(other.status).toBe(422);
      expect((await eventsOf(license)).map(({ type }) => type)).toEqual([
        ...['revoked', 'certificate_issued', 'activated', 'created'],
      ]);
    });

    it('binds the license to one of 20 machines at once, and nobody else gets a certificate', async () => {
      const license = await createLicense(app, ada);
      const machines = Array.from({ length: 20 }, (_, i) => `machine-number-${i + 10}`);
      const responses = await atOnce(20, (i) => issue(license, { fingerprint: machines[i] }));
      const winner = responses.findIndex(({ status }) => status === 201);

      expect(statusesOf(responses).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
      for (const { status, body } of responses) {
        if (status === 409) expect(body.code).toBe('LICENSE_BOUND_ELSEWHERE');
      }
      const claims = await verified(responses[winner]!.body.certificate as string);
      expect(claims.machine).toBe(machineOf(claims, machines[winner]!));
      expect(await validationOf(app, license, machines[winner])).toBe('active');
      expect((await eventsOf(license)).map(({ type }) => type)).toEqual([
        ...['certificate_issued', 'activated', 'created'],
      ]);
    });

    it('activates once for 20 requests of one machine at once, and each gets a certificate', async () => {
      const license = await createLicense(app, ada);
      const responses = await atOnce(20, () => issue(license));
      const types = (await eventsOf(license)).map(({ type }) => type);

      expect(statusesOf(responses)).toEqual(Array(20).fill(201));
      expect(types.filter((type) => type === 'activated')).toHaveLength(1);
      expect(types.filter((type) => type === 'certificate_issued')).toHaveLength(20);
    });

    it('races with activations of other machines, and one of all is bound', async () => {
      const license = await createLicense(app, ada);
      const responses = await atOnce(20, (i) =>
        i % 2
          ? issue(license, { fingerprint: `machine-number-${i + 10}` })
          : activate(app, license, `machine-number-${i + 10}`),
      );

      expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
    });
  });

  describe('400, and nothing is bound', () => {
    it.each([
      ['Fingerprint is required', 'FINGERPRINT_REQUIRED', { fingerprint: undefined }],
      ['Fingerprint is required', 'FINGERPRINT_REQUIRED', { fingerprint: null }],
      ['Product is required', 'PRODUCT_REQUIRED', { product: undefined }],
      ['Product is required', 'PRODUCT_REQUIRED', { product: null }],
    ])('says "%s" (%s) for %j', async (message, code, fields) => {
      const license = await createLicense(app, ada);
      const response = await issue(license, fields);

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ message, code });
      expect(await read(license)).toEqual(license);
    });

    it.each([
      ...[0, -1, 367, 1.5, '7', null, undefined, true, [7], { $gt: 0 }].map(
        (days) => ['days', days] as const,
      ),
      ...[` ${LAPTOP}`, `${LAPTOP} `, `${LAPTOP}é`, `${LAPTOP}\t1`].map(
        (fingerprint) => ['fingerprint', fingerprint] as const,
      ),
      ...['x'.repeat(15), 'x'.repeat(257), 12_345_678_901_234, ['x'.repeat(16)], { $ne: '' }].map(
        (fingerprint) => ['fingerprint', fingerprint] as const,
      ),
      ...['.shop', 'shop ', 'x'.repeat(65), 5, ['shop'], { $ne: '' }].map(
        (product) => ['product', product] as const,
      ),
      ...['00000000', '', '5d0c81a', 5, ['5d0c81aa'], { $ne: '' }].map(
        (check) => ['check', check] as const,
      ),
    ])('names `%s` where it is %j', async (field, value) => {
      const license = await createLicense(app, ada);
      const response = await issue(license, { [field]: value });

      expect(response.status).toBe(400);
      expect(response.body.message).toBe('Validation error');
      expect(Object.keys(response.body.errors as object)).toEqual([field]);
      expect(await read(license)).toEqual(license);
    });

    it('names `check` where the fingerprint or the product was mistyped', async () => {
      const license = await createLicense(app, ada);
      const check = checkOf(license.project, LAPTOP);
      for (const fields of [{ fingerprint: `${LAPTOP}s` }, { product: 'web-shop' }]) {
        const response = await issue(license, { ...fields, check });
        expect(response.status).toBe(400);
        expect(Object.keys(response.body.errors as object)).toEqual(['check']);
      }
      expect(await read(license)).toEqual(license);
    });
  });

  it("404: for another account's license, as for none", async () => {
    const bob = await registerDeveloper(app);
    const license = await createLicense(app, bob);
    const response = await issue(license);

    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ code: 'LICENSE_NOT_FOUND' });
    expect((await app.get(`/licenses/${license._id}`, bob)).body).toEqual(license);
  });

  describe('409, and nothing is issued', () => {
    const reject = async (license: CreatedLicense, message: string, code: string, fields = {}) => {
      const before = await everythingOf(app, ada);
      const response = await issue(license, fields);

      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({ message, code });
      expect(response.body).not.toHaveProperty('certificate');
      expect(await everythingOf(app, ada)).toEqual(before);
    };
    const ANOTHER_MACHINE = [
      'License is bound to another machine',
      'LICENSE_BOUND_ELSEWHERE',
    ] as const;
    const ANOTHER_PRODUCT = [
      'License is for another product',
      'LICENSE_OF_ANOTHER_PRODUCT',
    ] as const;

    it('for a license that is bound to another machine, or to that of the service', async () => {
      const [one, two] = [await createLicense(app, ada), await createLicense(app, ada)];
      await activate(app, one, DESKTOP);
      await activate(app, two);

      await reject(one, ...ANOTHER_MACHINE);
      await reject(two, ...ANOTHER_MACHINE);
    });

    it('for a revoked license, on its machine, too', async () => {
      const license = await createLicense(app, ada);
      await issue(license);
      await revoke(license);

      await reject(license, 'License has already been revoked', 'LICENSE_ALREADY_REVOKED');
    });

    it('for an expired license, from the millisecond of its end on, on its machine, too', async () => {
      const license = await createLicense(app, ada, { duration: 1 });
      await activate(app, license, LAPTOP);
      await at(new Date(Date.parse(license.expiresAt) - 1).toISOString());
      expect((await issue(license)).status).toBe(201);
      await at(license.expiresAt);

      await reject(license, 'License term has ended', 'LICENSE_TERM_ENDED');
    });

    it.each(['shop', 'Web-Shop', 'web-shop2'])('for another product: %s', async (product) => {
      const client = await createClient(app, ada);
      const { license } = await createProject(app, ada, client._id, { product: 'web-shop' });

      await reject(license, ...ANOTHER_PRODUCT, { product });
    });

    it('for the id of another project', async () => {
      const [license, other] = [await createLicense(app, ada), await createLicense(app, ada)];

      await reject(license, ...ANOTHER_PRODUCT, { product: other.project });
    });
  });

  describe('A reissue tells `certificateExpiresAt`', () => {
    it('of the latest certificate that is still out, and null once all are over', async () => {
      const end = '2026-03-02T10:15:00.000Z';
      for (const [time, told] of [
        [START, end],
        ['2026-03-02T10:14:59.999Z', end],
        [end, null],
      ] as const) {
        await at(START);
        const license = await createLicense(app, ada);
        for (const days of [1, 30, 2]) await issue(license, { days });
        await at(time);
        const { status, body } = await reissue(license);

        expect(status).toBe(201);
        expect([time, body.certificateExpiresAt]).toEqual([time, told]);
      }
    });

    it('as null for a license without one, those that its software requested itself included', async () => {
      const license = await createLicense(app, ada);
      const { key, project } = license;
      const check = { key, fingerprint: LAPTOP, product: project, certificate: true };
      expect((await app.post('/validate/activate', check)).body.certificate).toBeDefined();
      const { body } = await reissue(license);

      expect(body.certificateExpiresAt).toBeNull();
    });

    it('of the reissued license alone, not of the one that it replaced', async () => {
      const license = await createLicense(app, ada);
      await issue(license);
      const { body: first } = await reissue(license);
      const { body: second } = await reissue(first.license as CreatedLicense);

      expect(first.certificateExpiresAt).toBe('2026-03-02T10:15:00.000Z');
      expect(second.certificateExpiresAt).toBeNull();
    });

    it('the same for a repeat, even when the certificate is over meanwhile', async () => {
      const headers = { 'Idempotency-Key': 'reissue-of-a-certified-license' };
      const license = await createLicense(app, ada);
      await issue(license, { days: 1 });
      await at('2026-02-01T10:14:59.000Z');
      const first = await reissue(license, headers);
      app.clock.advance({ seconds: 1 });

      expect(first.body.certificateExpiresAt).toBe('2026-02-01T10:15:00.000Z');
      expect((await reissue(license, headers)).body).toEqual(first.body);
    });
  });
});
