import pLimit from 'p-limit';
import { type CreatedLicense, DESKTOP, LAPTOP, type SigningKeys } from '../developer.js';
import { atOnce, expectError, expectInvalid, expectResponse } from '../responses.js';
import { useAppOn, useDeveloper } from '../use-app.js';
import { checkOf, machineOf, secondsOf, verifyCertificate, verifyJws } from './certificates.js';
import { START } from '../../fake-clock.js';
import { ENGINES } from '../../engines.js';
import { Random } from '../../random.js';
import { timesInScope } from '../../scope.js';
import type { CheckRoute } from '../../http-caller.js';

const DAY = 24 * 60 * 60;
/** S16 promises 1,000: REVOCATIONS=1000 npm test -- --selectProjects e2e -- shipped-software -t S16 */
const REVOCATIONS = Number(process.env.REVOCATIONS ?? timesInScope(50));
const NONCE = 'q0bX2s9Vd1mZk3Yt7Pw5Lg';
const ROUTES = ['/validate', '/validate/activate', '/validate/heartbeat'] as const;

describe('Certificates', () => {
  const [app, ada] = useDeveloper();
  let keys: SigningKeys;

  beforeEach(async () => {
    keys = await app.signingKeysOf(ada);
  });

  const issue = (license: CreatedLicense, fields?: object) =>
    app.issueCertificate(ada, license, fields);
  const read = (license: CreatedLicense) => app.readLicense(ada, license);

  it('by POST /licenses/:id/certificates: activates a PENDING license for that machine, with both events', async () => {
    const license = await app.createLicense(ada, { duration: 3, services: ['Domain'] });
    app.clock.advance({ seconds: 60.25 });
    const now = app.clock.now().toISOString();
    const term = { activatedAt: now, expiresAt: '2026-04-30T10:16:00.250Z' };
    const response = await issue(license);
    const { certificate, license: activated } = response.body;

    expectResponse(response, 201, {
      message: 'Certificate issued',
      certificate: expect.any(String),
      license: {
        ...license,
        ...{ status: 'ACTIVE', startsOnActivation: false, machinesCount: 1 },
        machineId: expect.stringMatching(/^[0-9a-f]{64}$/),
        ...{ ...term, issuedAt: now, updatedAt: now },
      },
    });
    expect(await read(license)).toEqual(activated);
    const { claims } = verifyCertificate(certificate as string, keys);
    expect(claims).toEqual({
      ...{ iss: ada._id, aud: license.project, sub: license._id, jti: expect.any(String) },
      ...{ iat: secondsOf(now), exp: secondsOf(now) + 30 * DAY },
      machine: machineOf(claims, LAPTOP),
      license: {
        ...{ duration: 3, services: ['Domain'], ...term, entitlements: [] },
        licensee: (license as unknown as { clientName: string }).clientName,
      },
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

  // Every form of these fields is covered in src/http/validation/compiled-body.spec.ts.
  it('400 at POST /licenses/:id/certificates without binding: names wrong or missing fields, or `check` for a typo', async () => {
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
    expectError(await issue(license, { fingerprint: null }), 'FINGERPRINT_REQUIRED');
    expectError(await issue(license, { product: '' }), 'PRODUCT_REQUIRED');
    expect(await read(license)).toEqual(license);
    for (const right of [{ check: ` ${check.toUpperCase()} ` }, { check: null, days: 366 }]) {
      expect((await issue(license, right)).status).toBe(201);
    }
  });

  it('by `certificate: true` are for this machine, on both successful activations and an active validation', async () => {
    const license = await app.createLicense(ada, { duration: 3, services: ['Domain'] });
    const term = { activatedAt: START, expiresAt: '2026-04-30T10:15:00.000Z' };
    for (const [path, seconds] of [
      ['/validate/activate', 0],
      ['/validate/activate', 600.75],
      ['/validate', 0],
    ] as const) {
      app.clock.advance({ seconds });
      const { certificate, ...body } = (await app.requestCertificate(path, license)).body;
      const without = await app.requestCertificate(path, license, { certificate: undefined });
      if (seconds > 0 || path === '/validate') expect(without.body).toEqual(body);
      const { claims } = verifyCertificate(certificate, keys);
      const iat = secondsOf(app.clock.now().toISOString());
      expect(claims).toMatchObject({
        ...{ aud: license.project, iat, exp: iat + 7 * DAY },
        ...{ machine: machineOf(claims, LAPTOP), license: term },
      });
    }
  });

  it('S15: are never signed by the keys of another account, even for a product with the same name', async () => {
    const bob = await app.register();
    const foreign = await app.signingKeysOf(bob);
    const issued: string[] = [];
    for (const user of [ada, bob]) {
      const license = await app.createLicense(user, { product: 'same' });
      const { body } = await app.requestCertificate('/validate/activate', license, {
        product: 'same',
      });
      issued.push(body.certificate);
    }
    expect(verifyCertificate(issued[0]!, keys).claims).toMatchObject({ iss: ada._id, aud: 'same' });
    expect(verifyCertificate(issued[1]!, foreign).claims.iss).toBe(bob._id);
    expect(() => verifyCertificate(issued[0]!, foreign)).toThrow();
    expect(() => verifyCertificate(issued[1]!, keys)).toThrow();
    expect(() => verifyCertificate(issued[1]!, { ...foreign, issuer: ada._id })).toThrow();
  });

  it.each([
    ['/validate', { valid: false }],
    ['/validate/activate', { success: false }],
  ] as const)(
    '400 at %s: require the key, then the fingerprint, then the product, and bind nothing',
    async (path, marker) => {
      const license = await app.createLicense(ada);
      for (const [code, fields] of [
        ['LICENSE_KEY_REQUIRED', { key: '', fingerprint: null, product: '' }],
        ['FINGERPRINT_REQUIRED', { fingerprint: null, product: '' }],
        ['PRODUCT_REQUIRED', { product: undefined }],
      ] as const) {
        expectError(await app.requestCertificate(path, license, fields), code, marker);
      }
      for (const [field, value] of [
        ['certificate', 'true'],
        ['fingerprint', ` ${LAPTOP}`],
        ['product', 'shop '],
        ['nonce', 'a'.repeat(15)],
      ] as const) {
        expectInvalid(await app.requestCertificate(path, license, { [field]: value }), field);
      }
      expect(await read(license)).toEqual(license);
    },
  );

  /** The statement in a response, without the common claims. */
  const statusIn = (license: CreatedLicense, rejection: string, fingerprint = LAPTOP) => {
    const { payload } = verifyJws(rejection, 'license-rejection+jwt', keys);
    const { status, iat, ...claims } = payload as { status: string; iat: number };
    const names = { iss: ada._id, sub: license._id };
    expect(claims).toEqual({
      ...{ ...names, aud: license.project, nonce: NONCE },
      machine: machineOf(names, fingerprint),
    });
    expect(iat).toBe(secondsOf(app.clock.now().toISOString()));
    return status;
  };

  it('S15, S16: with a `nonce`, each status that stops a license is signed for the machine instead of a certificate', async () => {
    const add = async (terms?: object) => {
      const license = await app.createLicense(ada, terms);
      await app.activate(license, LAPTOP);
      return license;
    };
    const expectSigned = async (
      license: CreatedLicense,
      status: string,
      paths: readonly CheckRoute[] = ['/validate', '/validate/activate'],
      fingerprint = LAPTOP,
    ) => {
      for (const path of paths) {
        const fields = { fingerprint, nonce: NONCE };
        const { rejection, ...body } = (await app.requestCertificate(path, license, fields)).body;
        expect(statusIn(license, rejection, fingerprint)).toBe(status);
        const { body: unsigned } = await app.requestCertificate(path, license, { fingerprint });
        expect({ ...body, requestId: '' }).toEqual({ ...unsigned, requestId: '' });
        expect(unsigned).not.toHaveProperty('certificate');
      }
    };
    const [revoked, suspended] = [await add({ leaseSeconds: 3600 }), await add()];
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);
    await app.post(`/licenses/${suspended._id}/suspend`, {}, ada);
    await expectSigned(revoked, 'revoked', ROUTES);
    await expectSigned(suspended, 'suspended');
    await expectSigned(await add(), 'machine_mismatch', undefined, DESKTOP);
    const [leased, expired] = [await add({ leaseSeconds: 3600 }), await add({ duration: 1 })];
    app.clock.advance({ seconds: 3600 });
    await expectSigned(leased, 'lease_ended', ['/validate']);
    app.clock.set(expired.expiresAt);
    await expectSigned(expired, 'expired');
  });

  it('a `nonce` adds nothing to a response that does not stop a license, or without `certificate`', async () => {
    const license = await app.createLicense(ada, { leaseSeconds: 3600, maxMachines: 1 });
    const bodyOf = async (path: CheckRoute, fields: object) =>
      (await app.requestCertificate(path, license, { nonce: NONCE, ...fields })).body;
    expect(await bodyOf('/validate', {})).not.toHaveProperty('rejection');
    expect(await bodyOf('/validate/activate', {})).not.toHaveProperty('rejection');
    const full = await bodyOf('/validate/activate', { fingerprint: DESKTOP });
    expect(full).toMatchObject({ code: 'MACHINE_LIMIT_REACHED' });
    expect(full).not.toHaveProperty('rejection');
    const request = { fingerprint: DESKTOP, product: license.project, days: 1 };
    const offline = await app.post(`/licenses/${license._id}/certificates`, request, ada);
    const { nextLeaseEndsAt } = full;
    expectError(offline, 'MACHINE_LIMIT_REACHED', { nextLeaseEndsAt });
    await app.post(`/licenses/${license._id}/revoke`, {}, ada);
    for (const path of ROUTES) {
      expect(await bodyOf(path, { certificate: undefined })).not.toHaveProperty('rejection');
    }
  });
});

describe.each(ENGINES)('Certificates, on %s', (engine) => {
  const app = useAppOn(engine);

  it('S16: are never issued after an acknowledged revocation, and never outlive the license or their days', async () => {
    const random = new Random(1);
    const ada = await app.register();
    const keys = await app.signingKeysOf(ada);
    const { project } = await app.createLicense(ada);
    let issued = 0;

    const race = async () => {
      const license = await app.addLicense(ada, project, { duration: random.between(1, 12) });
      const { expiresAt } = (await app.activate(license, LAPTOP)).body;
      let isRevoked = false;
      /** Sends requests until one starts after the acknowledgment, and returns its response. */
      const requestUntilRevoked = async (i: number) => {
        for (;;) {
          const isLate = isRevoked;
          const days = i % 2 ? random.between(1, 366) : 7;
          const { body } = await (i % 2
            ? app.issueCertificate(ada, license, { days })
            : app.requestCertificate('/validate', license));
          if (isLate) return [body.status ?? body.code, body.certificate] as unknown[];
          if (!body.certificate) continue;
          const { claims } = verifyCertificate(body.certificate as string, keys);
          const end = Math.min(claims.iat + days * 24 * 60 * 60, secondsOf(expiresAt as string));
          expect(claims.exp).toBe(end);
          issued += 1;
        }
      };
      const callers = atOnce(2, requestUntilRevoked);
      for (let tick = random.between(0, 5); tick > 0; tick--) await new Promise(setImmediate);
      const { status } = await app.post(`/licenses/${license._id}/revoke`, {}, ada);
      expect(status).toBe(200);
      isRevoked = true;
      expect(await callers).toEqual([
        ['revoked', undefined],
        ['LICENSE_ALREADY_REVOKED', undefined],
      ]);
    };
    await pLimit(4).map(Array(REVOCATIONS).fill(0), race);
    expect(issued).toBeGreaterThan(REVOCATIONS);
  });
});
