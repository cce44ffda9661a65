import { START } from '../../fake-clock.js';
import { type CreatedLicense, DESKTOP, LAPTOP } from '../developer.js';
import { useDeveloper } from '../use-app.js';
import { requestCertificate } from './issue-certificate.js';
import { machineOf, secondsOf, signingKeysOf, verifyJws } from './verify-certificate.js';

const NONCE = 'q0bX2s9Vd1mZk3Yt7Pw5Lg';
const ROUTES = ['/validate', '/validate/activate', '/validate/heartbeat'] as const;

describe('`nonce` of shipped software', () => {
  const [app, ada] = useDeveloper();
  let keys: Awaited<ReturnType<typeof signingKeysOf>>;

  beforeEach(async () => {
    keys = await signingKeysOf(app, ada);
  });
  /** The statement in a response, without the claims that all have in common. */
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

  it('S15, S16: has each status that ends a license signed, with the nonce, for the machine, and no certificate', async () => {
    const [revoked, suspended, elsewhere, expired] = [
      await app.createLicense(ada),
      await app.createLicense(ada),
      await app.createLicense(ada),
      await app.createLicense(ada, { duration: 1 }),
    ];
    for (const license of [revoked, suspended, elsewhere, expired]) {
      await app.activate(license, LAPTOP);
    }
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);
    await app.post(`/licenses/${suspended._id}/suspend`, {}, ada);
    const expectSigned = async (license: CreatedLicense, status: string, fingerprint = LAPTOP) => {
      for (const path of ROUTES.slice(0, 2)) {
        const fields = { fingerprint, nonce: NONCE };
        const { rejection, ...body } = (await requestCertificate(app, path, license, fields)).body;
        expect(statusIn(license, rejection, fingerprint)).toBe(status);
        const { body: unsigned } = await requestCertificate(app, path, license, { fingerprint });
        expect({ ...body, requestId: '' }).toEqual({ ...unsigned, requestId: '' });
        expect(unsigned).not.toHaveProperty('certificate');
      }
    };
    await expectSigned(revoked, 'revoked');
    await expectSigned(suspended, 'suspended');
    await expectSigned(elsewhere, 'machine_mismatch', DESKTOP);
    app.clock.set(expired.expiresAt);
    await expectSigned(expired, 'expired');
  });

  it('has a lease that has ended signed, and a heartbeat of a license that has been revoked', async () => {
    const license = await app.createLicense(ada, { leaseSeconds: 3600, maxMachines: 2 });
    await app.activate(license, LAPTOP);
    app.clock.advance({ seconds: 3600 });
    const send = async (path: (typeof ROUTES)[number]) =>
      (await requestCertificate(app, path, license, { nonce: NONCE })).body;
    expect(statusIn(license, (await send('/validate')).rejection)).toBe('lease_ended');
    // The token of the developer has ended meanwhile.
    app.clock.set(START);
    await app.post(`/licenses/${license._id}/revoke`, {}, ada);
    const rejected = await send('/validate/heartbeat');
    expect(rejected).toMatchObject({ code: 'LICENSE_REVOKED' });
    expect(statusIn(license, rejected.rejection)).toBe('revoked');
  });

  it('adds nothing to a response that ends no license, or without `certificate`', async () => {
    const license = await app.createLicense(ada, { leaseSeconds: 3600, maxMachines: 1 });
    const bodyOf = async (path: (typeof ROUTES)[number], fields: object) =>
      (await requestCertificate(app, path, license, { nonce: NONCE, ...fields })).body;
    expect(await bodyOf('/validate', {})).not.toHaveProperty('rejection');
    expect(await bodyOf('/validate/activate', {})).not.toHaveProperty('rejection');
    const full = await bodyOf('/validate/activate', { fingerprint: DESKTOP });
    expect(full).toMatchObject({ code: 'MACHINE_LIMIT_REACHED' });
    expect(full).not.toHaveProperty('rejection');
    await app.post(`/licenses/${license._id}/revoke`, {}, ada);
    for (const path of ROUTES) {
      expect(await bodyOf(path, { certificate: undefined })).not.toHaveProperty('rejection');
    }
  });
});
