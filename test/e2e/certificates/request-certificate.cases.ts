import { START } from '../../fake-clock.js';
import { type CreatedLicense, LAPTOP } from '../developer.js';
import { expectError, expectInvalid } from '../expect-response.js';
import { useDeveloper } from '../use-app.js';
import { requestCertificate } from './issue-certificate.js';
import { machineOf, secondsOf, signingKeysOf, verifyCertificate } from './verify-certificate.js';

const DAY = 24 * 60 * 60;
describe('`certificate: true` of shipped software', () => {
  const [app, ada] = useDeveloper();
  let keys: Awaited<ReturnType<typeof signingKeysOf>>;

  beforeEach(async () => {
    keys = await signingKeysOf(app, ada);
  });
  const validate = (license: CreatedLicense, fields?: object) =>
    requestCertificate(app, '/validate', license, fields);
  const activateFor = (license: CreatedLicense, fields?: object) =>
    requestCertificate(app, '/validate/activate', license, fields);

  it('adds a certificate for this machine to both successful activations and to an active validation', async () => {
    const license = await app.createLicense(ada, { duration: 3, services: ['Domain'] });
    const { certificate: first, ...activated } = (await activateFor(license)).body;
    app.clock.advance({ seconds: 600.75 });
    const { certificate: second, ...again } = (await activateFor(license)).body;
    const { certificate: third, ...active } = (await validate(license)).body;

    const term = { activatedAt: START, expiresAt: '2026-04-30T10:15:00.000Z' };
    expect(activated).toEqual({
      ...{ success: true, message: 'License activated successfully', ...term },
      machineId: expect.any(String),
    });
    expect((await app.activate(license, LAPTOP)).body).toEqual(again);
    expect((await validate(license, { certificate: undefined })).body).toEqual(active);
    const iat = secondsOf(START);
    for (const [certificate, after] of [
      [first, 0],
      [second, 600],
      [third, 600],
    ] as const) {
      const claims = verifyCertificate(certificate, keys).claims;
      expect(claims).toMatchObject({
        ...{ aud: license.project, iat: iat + after, exp: iat + after + 7 * DAY },
        ...{ machine: machineOf(claims, LAPTOP), license: term },
      });
    }
  });

  it('S15: is not signed by any key of another account, which may sell a product of the same name', async () => {
    const bob = await app.register();
    const foreign = await signingKeysOf(app, bob);
    const issued: string[] = [];
    for (const user of [ada, bob]) {
      const license = await app.createLicense(user, { product: 'same' });
      issued.push((await activateFor(license, { product: 'same' })).body.certificate);
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
    '400 at %s: requires the key, the fingerprint, then the product, and binds nothing',
    async (path, marker) => {
      const license = await app.createLicense(ada);
      const reject = (fields: object) => requestCertificate(app, path, license, fields);
      for (const [code, fields] of [
        ['LICENSE_KEY_REQUIRED', { key: '', fingerprint: null, product: '' }],
        ['FINGERPRINT_REQUIRED', { fingerprint: null, product: '' }],
        ['PRODUCT_REQUIRED', { product: undefined }],
      ] as const) {
        expectError(await reject(fields), [400, code], marker);
      }
      // Every form of these fields has its case in src/server/validation/compiled-body.spec.ts.
      for (const [field, value] of [
        ['certificate', 'true'],
        ['fingerprint', ` ${LAPTOP}`],
        ['product', 'shop '],
        ...['a'.repeat(15), 'a'.repeat(65), `${'a'.repeat(16)}=`, null].map(
          (nonce) => ['nonce', nonce] as const,
        ),
      ] as const) {
        expectInvalid(await reject({ [field]: value }), field);
      }
      expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
    },
  );
});
