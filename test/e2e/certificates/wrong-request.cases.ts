import { ENGINES } from '../../engines.js';
import { activate, createLicense, type CreatedLicense, validationOf } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';
import { LAPTOP } from './issue-certificate.js';

const ROUTES = [
  ['/validate', { valid: false }],
  ['/validate/activate', { success: false }],
] as const;

describe.each(ENGINES)('A wrong request for a certificate, on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  const send = (path: string, { key, project }: CreatedLicense, fields: object = {}) =>
    app.post(path, {
      ...{ key, fingerprint: LAPTOP, product: project, certificate: true },
      ...fields,
    });

  describe.each(ROUTES)('400 at %s', (path, marker) => {
    const expectPending = async ({ _id }: CreatedLicense) =>
      expect((await app.get(`/licenses/${_id}`, ada)).body.status).toBe('PENDING');

    it.each([
      ['Fingerprint is required', 'FINGERPRINT_REQUIRED', { fingerprint: undefined }],
      ['Fingerprint is required', 'FINGERPRINT_REQUIRED', { fingerprint: null }],
      ['Fingerprint is required', 'FINGERPRINT_REQUIRED', { fingerprint: '' }],
      ['Product is required', 'PRODUCT_REQUIRED', { product: undefined }],
      ['Product is required', 'PRODUCT_REQUIRED', { product: null }],
      ['Product is required', 'PRODUCT_REQUIRED', { product: '' }],
    ])('says "%s" (%s) for %j', async (message, code, fields) => {
      const license = await createLicense(app, ada);
      const response = await send(path, license, fields);

      expect(response.status).toBe(400);
      expect(response.body).toEqual({
        ...marker,
        ...{ message, code, details: expect.any(String) },
        requestId: response.headers.get('x-request-id'),
      });
      await expectPending(license);
    });

    it('says that the key is required first, then the fingerprint, then the product', async () => {
      const license = await createLicense(app, ada);
      const messageOf = async (fields: object) => (await send(path, license, fields)).body.message;
      const none = { fingerprint: undefined, product: undefined };

      expect(await messageOf({ ...none, key: undefined })).toBe('License key is required');
      expect(await messageOf(none)).toBe('Fingerprint is required');
    });

    it.each([false, null, 'true', 1, 0, '', [true], {}, { $ne: false }])(
      'names `certificate` where it is %j',
      async (certificate) => {
        const license = await createLicense(app, ada);
        const response = await send(path, license, { certificate });

        expect(response.status).toBe(400);
        expect(response.body).toEqual({
          ...marker,
          message: 'Validation error',
          code: 'VALIDATION_ERROR',
          errors: { certificate: [expect.any(String)] },
          details: expect.any(String),
          requestId: response.headers.get('x-request-id'),
        });
        await expectPending(license);
      },
    );

    it.each([
      ['a leading space', ` ${LAPTOP}`],
      ['a trailing space', `${LAPTOP} `],
      ['a trailing newline', `${LAPTOP}\n`],
      ['a no-break space at its end', `${LAPTOP}\u00a0`],
      ['a letter beyond ASCII', `${LAPTOP}é`],
      ['an emoji', `${LAPTOP}🚀`],
      ['a tab', `${LAPTOP}\t${LAPTOP}`],
      ['DEL', `${LAPTOP}\u007f${LAPTOP}`],
      ['15 characters', 'x'.repeat(15)],
      ['257 characters', 'x'.repeat(257)],
      ['only 15 characters between spaces', `  ${'x'.repeat(15)}  `],
      ['another type', 12_345_678_901_234],
      ['the type of an operator', { $ne: null }],
    ])('names a fingerprint with %s', async (_case, fingerprint) => {
      const license = await createLicense(app, ada);
      const response = await send(path, license, { fingerprint });

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ ...marker, message: 'Validation error' });
      expect(Object.keys(response.body.errors as object)).toEqual(['fingerprint']);
      await expectPending(license);
    });

    it.each(['.shop', 'shop ', 'x'.repeat(65), 5, true, ['shop']])(
      'names the product %j',
      async (product) => {
        const license = await createLicense(app, ada);
        const response = await send(path, license, { product });

        expect(response.body).toMatchObject({ ...marker, message: 'Validation error' });
        expect(Object.keys(response.body.errors as object)).toEqual(['product']);
        await expectPending(license);
      },
    );
  });

  it.each([` ${LAPTOP}`, `${LAPTOP}\n `, `${LAPTOP}é🚀`])(
    'without `certificate`, the fingerprint %j is accepted and trimmed, as before',
    async (fingerprint) => {
      const license = await createLicense(app, ada);

      expect((await activate(app, license, fingerprint)).status).toBe(200);
      expect(await validationOf(app, license, fingerprint.trim())).toBe('active');
    },
  );
});
