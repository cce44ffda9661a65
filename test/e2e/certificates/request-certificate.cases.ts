import { START } from '../../fake-clock.js';
import {
  activate,
  createClient,
  createLicense,
  createProject,
  type CreatedLicense,
  DESKTOP,
  LAPTOP,
  registerDeveloper,
  unknownKey,
} from '../developer.js';
import { expectError, expectInvalid } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';
import { requestCertificate } from './issue-certificate.js';
import { machineOf, secondsOf, signingKeysOf, verifyCertificate } from './verify-certificate.js';

const DAY = 24 * 60 * 60;
const ROUTES = [
  ['/validate', { valid: false }],
  ['/validate/activate', { success: false }],
] as const;

describe('`certificate: true` of shipped software', () => {
  const app = useApp();
  const ada = useDeveloper(app);
  let keys: Awaited<ReturnType<typeof signingKeysOf>>;

  beforeAll(async () => {
    keys = await signingKeysOf(app, ada);
  });
  beforeEach(() => app.clock.set(START));

  const validate = (license: CreatedLicense, fields?: object) =>
    requestCertificate(app, '/validate', license, fields);
  const activateFor = (license: CreatedLicense, fields?: object) =>
    requestCertificate(app, '/validate/activate', license, fields);
  const claimsIn = (body: { certificate: string }) =>
    verifyCertificate(body.certificate, keys).claims;

  it('adds a certificate for this machine to both successful activations and to an active validation', async () => {
    const license = await createLicense(app, ada, { duration: 3, services: ['Domain'] });
    app.clock.advance({ seconds: 60 });
    const term = { activatedAt: '2026-01-31T10:16:00.000Z', expiresAt: '2026-04-30T10:16:00.000Z' };
    const first = (await activateFor(license)).body;
    app.clock.advance({ seconds: 600.75 });
    const again = (await activateFor(license)).body;
    const active = (await validate(license)).body;

    expect(first).toEqual({
      ...{ success: true, message: 'License activated successfully', ...term },
      ...{ machineId: expect.any(String), certificate: expect.any(String) },
    });
    const { certificate, ...plain } = again;
    expect((await activate(app, license, LAPTOP)).body).toEqual(plain);
    const { certificate: third, ...plainActive } = active;
    expect((await validate(license, { certificate: undefined })).body).toEqual(plainActive);

    const claims = [first, { certificate }, { certificate: third }].map(claimsIn);
    const iat = secondsOf(term.activatedAt);
    expect(claims.map((each) => [each.iat, each.exp])).toEqual([
      [iat, iat + 7 * DAY],
      [iat + 600, iat + 600 + 7 * DAY],
      [iat + 600, iat + 600 + 7 * DAY],
    ]);
    for (const each of claims) {
      expect(each).toMatchObject({
        ...{ iss: ada._id, aud: license.project, sub: license._id },
        license: { duration: 3, services: ['Domain'], ...term },
      });
      expect(each.machine).toBe(machineOf(each, LAPTOP));
    }
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(3);
  });

  it('S15: is not signed by any key of another account, which may sell a product of the same name', async () => {
    const bob = await registerDeveloper(app);
    const foreign = await signingKeysOf(app, bob);
    const issued: string[] = [];
    for (const user of [ada, bob]) {
      const client = await createClient(app, user);
      const { license } = await createProject(app, user, client._id, { product: 'same' });
      issued.push((await activateFor(license, { product: 'same' })).body.certificate);
    }
    expect(verifyCertificate(issued[0]!, keys).claims).toMatchObject({ iss: ada._id, aud: 'same' });
    expect(verifyCertificate(issued[1]!, foreign).claims.iss).toBe(bob._id);
    expect(() => verifyCertificate(issued[0]!, foreign)).toThrow();
    expect(() => verifyCertificate(issued[1]!, keys)).toThrow();
    expect(() => verifyCertificate(issued[1]!, { ...foreign, issuer: ada._id })).toThrow();
  });

  it('ends with the license at the latest, and is none where it would be over as it is issued', async () => {
    app.clock.set('2026-01-31T10:15:00.600Z');
    const license = await createLicense(app, ada, { duration: 1 });
    const end = secondsOf((await activateFor(license)).body.expiresAt as string);
    app.clock.set('2026-02-21T10:14:59.999Z');
    expect(claimsIn((await validate(license)).body).exp).toBe(end - 1);
    app.clock.set('2026-02-21T10:15:01.000Z');
    expect(claimsIn((await validate(license)).body).exp).toBe(end);
    app.clock.set('2026-02-28T10:15:00.599Z');
    expect((await validate(license)).body).toMatchObject({ status: 'active' });
    expect((await validate(license)).body).not.toHaveProperty('certificate');
  });

  it.each(['pending', 'expired', 'revoked', 'machine_mismatch', 'invalid'])(
    'adds nothing to the status %s',
    async (status) => {
      const license = await createLicense(app, ada, { duration: 1 });
      if (status !== 'pending') await activate(app, license, LAPTOP);
      if (status === 'revoked') await app.post(`/licenses/${license._id}/revoke`, {}, ada);
      if (status === 'expired') app.clock.set(license.expiresAt);
      const fields = {
        ...(status === 'machine_mismatch' && { fingerprint: DESKTOP }),
        ...(status === 'invalid' && { key: unknownKey() }),
      };
      const { body } = await validate(license, fields);

      expect(body.status).toBe(status);
      expect(body).toEqual((await validate(license, { ...fields, certificate: undefined })).body);
      if (status === 'pending') return;
      const activation = await activateFor(license, fields);
      expect(activation.status).toBe(status === 'invalid' ? 404 : 403);
      expect(activation.body).not.toHaveProperty('certificate');
    },
  );

  it('leaves the bytes of the specified responses as they were, and creates no keys, if it is absent', async () => {
    const bob = await registerDeveloper(app);
    const client = await createClient(app, bob);
    const { license } = await createProject(app, bob, client._id, { product: 'web-shop' });
    const textOf = async (path: '/validate' | '/validate/activate') => {
      const fields = { certificate: undefined, product: 'web-shop' };
      return JSON.stringify((await requestCertificate(app, path, license, fields)).body);
    };
    const { body: first } = await activate(app, license, LAPTOP);
    const term = `"activatedAt":"${START}","expiresAt":"2026-07-31T10:15:00.000Z"`;

    expect(JSON.stringify(first)).toBe(
      `{"success":true,"message":"License activated successfully",${term},"machineId":"${first.machineId}"}`,
    );
    expect(await textOf('/validate/activate')).toBe(
      `{"success":true,"message":"License already activated on this machine",${term}}`,
    );
    expect(await textOf('/validate')).toBe(
      '{"valid":true,"status":"active","message":"License is valid",' +
        `"duration":6,"services":["Hosting"],${term}}`,
    );
    expect((await app.get(`/keys/${bob._id}`)).body).toEqual({ keys: [] });
  });

  describe.each(ROUTES)('400 at %s, and nothing is bound', (path, marker) => {
    const reject = async (fields: object) => {
      const license = await createLicense(app, ada);
      const response = await requestCertificate(app, path, license, fields);
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject(marker);
      expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
      return response;
    };

    it('says what is required: the key, then the fingerprint, then the product', async () => {
      const known = { fingerprint: null, product: '' };

      expectError(await reject({ key: '', ...known }), [400, 'LICENSE_KEY_REQUIRED']);
      expectError(await reject(known), [400, 'FINGERPRINT_REQUIRED'], {
        ...{ message: 'Fingerprint is required', details: expect.any(String) },
      });
      expectError(await reject({ product: undefined }), [400, 'PRODUCT_REQUIRED'], {
        ...{ message: 'Product is required', details: expect.any(String) },
      });
    });

    // Every form of these fields has its case in src/server/validation/compiled-body.spec.ts.
    it.each([
      ['certificate', false],
      ['certificate', 'true'],
      ['fingerprint', ` ${LAPTOP}`],
      ['fingerprint', `${LAPTOP}é`],
      ['product', 'shop '],
    ])('names `%s` where it is %j', async (field, value) => {
      expectInvalid(await reject({ [field]: value }), field);
    });
  });
});
