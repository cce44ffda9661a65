import { type CreatedLicense, LAPTOP } from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { machineCalls } from '../machine-calls.js';
import { useDeveloper } from '../use-app.js';
import { checkOf, issueCertificate } from './issue-certificate.js';
import { machineOf, secondsOf, signingKeysOf, verifyCertificate } from './verify-certificate.js';

const DAY = 24 * 60 * 60;

describe('POST /licenses/:id/certificates', () => {
  const [app, ada] = useDeveloper();

  const at = (time: string) => app.moveTo(ada, time);

  const issue = (license: CreatedLicense, fields?: object) =>
    issueCertificate(app, ada, license, fields);
  const verified = async (certificate: string) =>
    verifyCertificate(certificate, await signingKeysOf(app, ada)).claims;
  const { read } = machineCalls(app, ada);

  it('201: activates a PENDING license for that machine, with both events', async () => {
    const license = await app.createLicense(ada, { duration: 3, services: ['Domain'] });
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
        ...{ status: 'ACTIVE', machinesCount: 1 },
        machineId: expect.stringMatching(/^[0-9a-f]{64}$/),
        ...{ ...term, issuedAt: now, updatedAt: now },
      },
    });
    expect(await read(license)).toEqual(activated);
    const claims = await verified(certificate as string);
    expect(claims).toEqual({
      ...{ iss: ada._id, aud: license.project, sub: license._id, jti: expect.any(String) },
      ...{ iat: secondsOf(now), exp: secondsOf(now) + 30 * DAY },
      machine: machineOf(claims, LAPTOP),
      license: { duration: 3, services: ['Domain'], ...term, entitlements: [] },
    });
    const event = { at: now, actor: { type: 'user', id: ada._id } };
    const { machineId } = activated;
    const certificateExpiresAt = new Date(claims.exp * 1000).toISOString();
    expect((await app.eventsOf(ada, license)).slice(0, -1)).toMatchObject([
      { ...event, type: 'license.certificate_issued', data: { machineId, certificateExpiresAt } },
      { ...event, type: 'license.activated', data: { machineId, expiresAt: term.expiresAt } },
    ]);
    expect(await app.validationOf(license, LAPTOP)).toBe('active');
  });

  it('201: does not change a license that is ACTIVE on this machine, and names the product as it was sent', async () => {
    const license = await app.createLicense(ada, { product: 'x'.repeat(64) });
    await app.activate(license, LAPTOP);
    const before = await read(license);
    app.clock.advance({ seconds: 60 });
    for (const product of ['x'.repeat(64), license.project]) {
      const { status, body } = await issue(license, { product });
      expect([status, body.license]).toEqual([201, before]);
      expect((await verified(body.certificate as string)).aud).toBe(product);
    }
  });

  // Every form of these fields has its case in src/server/validation/compiled-body.spec.ts.
  it('400, and nothing is bound: names a wrong field, `check` where another one was mistyped, and what is missing', async () => {
    const license = await app.createLicense(ada);
    const check = checkOf(license.project, LAPTOP);
    for (const [field, fields] of [
      ...[0, 367, 1.5, '7', undefined].map((days) => ['days', { days }] as const),
      ['fingerprint', { fingerprint: `${LAPTOP} ` }],
      ['product', { product: 'shop ' }],
      ['check', { check: '00000000' }],
      ['check', { check, fingerprint: `${LAPTOP}s` }],
      ['check', { check, product: 'web-shop' }],
    ] as const) {
      expectInvalid(await issue(license, fields), field);
    }
    expectError(await issue(license, { fingerprint: null }), [400, 'FINGERPRINT_REQUIRED']);
    expectError(await issue(license, { product: '' }), [400, 'PRODUCT_REQUIRED']);
    expect(await read(license)).toEqual(license);
    for (const right of [{ check: ` ${check.toUpperCase()} ` }, { check: null, days: 366 }]) {
      expect((await issue(license, right)).status).toBe(201);
    }
  });

  it('its reissue returns the end of the latest certificate while one is valid, and null from then on', async () => {
    const reissue = async ({ _id }: { _id: string }) =>
      (await app.post(`/licenses/${_id}/reissue`, {}, ada)).body.certificateExpiresAt;
    const end = '2026-03-02T10:15:00.000Z';
    const [license, other] = [await app.createLicense(ada), await app.createLicense(ada)];
    for (const one of [license, other]) for (const days of [1, 30, 2]) await issue(one, { days });
    await at('2026-03-02T10:14:59.999Z');
    expect(await reissue(license)).toBe(end);
    await at(end);
    expect(await reissue(other)).toBeNull();
  });
});
