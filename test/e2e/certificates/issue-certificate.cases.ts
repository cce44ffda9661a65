import { START } from '../../fake-clock.js';
import {
  activate,
  createClient,
  createLicense,
  createProject,
  type CreatedLicense,
  DESKTOP,
  LAPTOP,
  moveTo,
  validationOf,
} from '../developer.js';
import { everythingOf } from '../everything.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';
import { checkOf, eventsOf, issueCertificate } from './issue-certificate.js';
import { machineOf, secondsOf, signingKeysOf, verifyCertificate } from './verify-certificate.js';

const DAY = 24 * 60 * 60;

describe('POST /licenses/:id/certificates', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  const at = (time: string) => moveTo(app, ada, time);
  beforeEach(() => at(START));

  const issue = (license: CreatedLicense, fields?: object, headers?: Record<string, string>) =>
    issueCertificate(app, ada, license, fields, headers);
  const verified = async (certificate: string) =>
    verifyCertificate(certificate, await signingKeysOf(app, ada)).claims;
  const read = async ({ _id }: { _id: string }) => (await app.get(`/licenses/${_id}`, ada)).body;
  const revoke = ({ _id }: CreatedLicense) => app.post(`/licenses/${_id}/revoke`, {}, ada);

  it('201: activates a PENDING license for that machine, with both events', async () => {
    const license = await createLicense(app, ada, { duration: 3, services: ['Domain'] });
    app.clock.advance({ seconds: 60.25 });
    const now = app.clock.now().toISOString();
    const term = { activatedAt: now, expiresAt: '2026-04-30T10:16:00.250Z' };
    const response = await issue(license);
    const { certificate, license: activated } = response.body;

    expectResponse(response, 201, {
      message: 'Certificate issued successfully',
      certificate: expect.any(String),
      license: {
        ...license,
        ...{ status: 'ACTIVE', machineId: expect.stringMatching(/^[0-9a-f]{64}$/) },
        ...{ ...term, issuedAt: now, updatedAt: now },
      },
    });
    expect(await read(license)).toEqual(activated);
    const claims = await verified(certificate as string);
    expect(claims).toEqual({
      ...{ iss: ada._id, aud: license.project, sub: license._id, jti: expect.any(String) },
      ...{ iat: secondsOf(now), exp: secondsOf(now) + 30 * DAY },
      machine: machineOf(claims, LAPTOP),
      license: { duration: 3, services: ['Domain'], ...term },
    });
    const event = {
      ...{ _id: expect.any(String), at: now, actor: ada._id, machineId: activated.machineId },
      ...{ reason: null, count: 1, certificateExpiresAt: null },
    };
    const certificateExpiresAt = new Date(claims.exp * 1000).toISOString();
    expect((await eventsOf(app, ada, license)).slice(0, -1)).toEqual([
      { ...event, type: 'certificate_issued', certificateExpiresAt },
      { ...event, type: 'activated' },
    ]);
    expect(await validationOf(app, license, LAPTOP)).toBe('active');
    expect(await validationOf(app, license, DESKTOP)).toBe('machine_mismatch');
  });

  it('201: does not change a license that is ACTIVE on this machine, stores one event each, and names the product as it was sent', async () => {
    const client = await createClient(app, ada);
    const product = 'x'.repeat(64);
    const fingerprint = '~'.repeat(256);
    const services = ['Hosting', 'Domain'];
    const { license } = await createProject(app, ada, client._id, { services, product });
    await activate(app, license, fingerprint);
    const before = await read(license);
    app.clock.advance({ seconds: 60 });
    for (const sent of [product, license.project]) {
      const { status, body } = await issue(license, { product: sent, fingerprint });
      expect([status, body.license]).toEqual([201, before]);
      const claims = await verified(body.certificate as string);
      expect(claims).toMatchObject({ aud: sent, machine: machineOf(claims, fingerprint) });
    }
    expect((await eventsOf(app, ada, license)).map(({ type }) => type)).toEqual([
      ...['certificate_issued', 'certificate_issued', 'activated', 'created'],
    ]);
  });

  it('201: lasts for 1 to 366 days, but not longer than the license', async () => {
    const license = await createLicense(app, ada, { duration: 12 });
    const endOf = async (days: number) => {
      const { body } = await issue(license, { days });
      return (await verified(body.certificate as string)).exp;
    };

    expect(await endOf(1)).toBe(secondsOf(START) + DAY);
    expect(await endOf(364)).toBe(secondsOf(START) + 364 * DAY);
    expect(await endOf(366)).toBe(secondsOf('2027-01-31T10:15:00.000Z'));
    await app.post(`/licenses/${license._id}/renew`, { duration: 12 }, ada);
    expect(await endOf(366)).toBe(secondsOf(START) + 366 * DAY);
  });

  it('201: accepts a right `check` in any case and with spaces around it, or none', async () => {
    const license = await createLicense(app, ada);
    const check = checkOf(license.project, LAPTOP);

    for (const sent of [check, ` ${check.toUpperCase()} `, undefined, null]) {
      expect((await issue(license, { check: sent })).status).toBe(201);
    }
  });

  it('400, and nothing is bound: names a wrong field, `check` where another one was mistyped, and what is missing', async () => {
    const license = await createLicense(app, ada);
    const check = checkOf(license.project, LAPTOP);
    for (const [field, fields] of [
      ...[0, 367, 1.5, '7', undefined].map((days) => ['days', { days }] as const),
      ...[`${LAPTOP} `, `${LAPTOP}é`, 'x'.repeat(15)].map(
        (fingerprint) => ['fingerprint', { fingerprint }] as const,
      ),
      ['product', { product: 'shop ' }],
      ['check', { check: '00000000' }],
      ['check', { check, fingerprint: `${LAPTOP}s` }],
      ['check', { check, product: 'web-shop' }],
    ] as const) {
      expectInvalid(await issue(license, fields), field);
    }
    expectError(await issue(license, { fingerprint: null }), [400, 'FINGERPRINT_REQUIRED'], {
      message: 'Fingerprint is required',
    });
    expectError(await issue(license, { product: '' }), [400, 'PRODUCT_REQUIRED'], {
      message: 'Product is required',
    });
    expect(await read(license)).toEqual(license);
  });

  const ELSEWHERE = ['License is bound to another machine', 'LICENSE_BOUND_ELSEWHERE'] as const;
  const REVOKED = ['License has already been revoked', 'LICENSE_ALREADY_REVOKED'] as const;
  const ENDED = ['License term has ended', 'LICENSE_TERM_ENDED'] as const;
  const OTHER = ['License is for another product', 'LICENSE_OF_ANOTHER_PRODUCT'] as const;

  it.each([
    ['bound to another machine', ELSEWHERE, (one: CreatedLicense) => activate(app, one, DESKTOP)],
    ['bound to the machine of the service', ELSEWHERE, (one: CreatedLicense) => activate(app, one)],
    ['revoked', REVOKED, revoke],
    ['expired, from the millisecond of its end on', ENDED, (one: CreatedLicense) => expire(one)],
    ['for another product', OTHER, () => undefined],
  ])('409: issues nothing for a license that is %s', async (name, [message, code], prepare) => {
    const license = await createLicense(app, ada, { duration: 1 });
    if (!name.startsWith('bound')) await activate(app, license, LAPTOP);
    await prepare(license);
    const before = await everythingOf(app, ada);
    const response = await issue(license, name.endsWith('product') ? { product: 'shop' } : {});

    expectError(response, [409, code], { message });
    expect(response.body).not.toHaveProperty('certificate');
    expect(await everythingOf(app, ada)).toEqual(before);
  });

  const expire = async (license: CreatedLicense) => {
    await at(new Date(Date.parse(license.expiresAt) - 1).toISOString());
    expect((await issue(license)).status).toBe(201);
    await at(license.expiresAt);
  };

  describe('and the reissue of its license', () => {
    const reissue = async ({ _id }: { _id: string }, headers: Record<string, string> = {}) =>
      (await app.post(`/licenses/${_id}/reissue`, {}, { token: ada.token, headers })).body;

    it('returns the end of the latest certificate while one is valid, and null from then on', async () => {
      const end = '2026-03-02T10:15:00.000Z';
      for (const [time, told] of [
        ['2026-03-02T10:14:59.999Z', end],
        [end, null],
      ] as const) {
        await at(START);
        const license = await createLicense(app, ada);
        for (const days of [1, 30, 2]) await issue(license, { days });
        await at(time);
        const first = await reissue(license);

        expect([time, first.certificateExpiresAt]).toEqual([time, told]);
        // Its replacement has none.
        expect((await reissue(first.license as CreatedLicense)).certificateExpiresAt).toBeNull();
      }
    });

    it('returns the same for a repeat after the certificate has ended and the project was deleted', async () => {
      const headers = { 'Idempotency-Key': 'reissue-of-a-certified-license' };
      const license = await createLicense(app, ada);
      await issue(license, { days: 1 });
      await at('2026-02-01T10:14:59.000Z');
      const first = await reissue(license, headers);
      expect((await app.delete(`/projects/${license.project}`, ada)).status).toBe(204);
      app.clock.advance({ seconds: 1 });

      expect(first.certificateExpiresAt).toBe('2026-02-01T10:15:00.000Z');
      expect(await reissue(license, headers)).toEqual(first);
    });
  });
});
