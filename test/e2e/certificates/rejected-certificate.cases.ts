import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import {
  activate,
  createClient,
  createLicense,
  createProject,
  type CreatedLicense,
  logIn,
  registerDeveloper,
} from '../developer.js';
import { everythingOf } from '../everything.js';
import { useApp, useDeveloper } from '../use-app.js';
import { checkOf, DESKTOP, issueCertificate, LAPTOP } from './issue-certificate.js';

describe.each(ENGINES)('POST /licenses/:id/certificates rejects on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  const at = async (time: string) => {
    app.clock.set(time);
    Object.assign(ada, await logIn(app, ada));
  };
  beforeEach(() => at(START));

  const issue = (license: CreatedLicense, fields?: object) =>
    issueCertificate(app, ada, license, fields);
  const read = async ({ _id }: CreatedLicense) => (await app.get(`/licenses/${_id}`, ada)).body;

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
      await app.post(`/licenses/${license._id}/revoke`, {}, ada);

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
});
