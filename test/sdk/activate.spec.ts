import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { CONTACT_MESSAGES, LicenseError } from '../../sdk/node/src/license-error.js';
import { json, page, type Reply } from './scripted-service.js';
import { active, activated, activeWith, Customer, ISSUER, KEY, validation } from './customer.js';
import { DAY, FINGERPRINT, Issuer, NOW, PRODUCT } from './issuer.js';

const OTHER_KEY = 'LIC-665f1c2ab7e4a90012345678-AAAA-BBBB-CCCC';

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(() => customer.leave());

const rejectionOf = (activation: Promise<unknown>) =>
  activation.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('activate', () => {
  it('activates a pending license, which is then valid', async () => {
    const service = await customer.script(validation('pending'), activated());
    const license = customer.license();
    const status = await license.activate(KEY);
    expect(status).toEqual({
      state: 'valid',
      until: new Date((NOW + 7 * DAY) * 1000),
      services: ['Hosting'],
      reason: null,
    });
    expect(license.status()).toEqual(status);
    expect(service.paths).toEqual(['/validate', '/validate/activate']);
  });

  it('only validates a license that is active, because activations have the lower rate limit', async () => {
    const service = await customer.script(active());
    await customer.license().activate(KEY);
    expect(service.paths).toEqual(['/validate']);
  });

  it('sends key, fingerprint, product and the request for a certificate, and nothing else', async () => {
    const service = await customer.script(validation('pending'), activated());
    await customer.license().activate(`  ${KEY}\n`);
    const body = { key: KEY, fingerprint: FINGERPRINT, product: PRODUCT, certificate: true };
    expect(service.asked.map((request) => request.body)).toEqual([body, body]);
  });

  it('keeps the path of the address of the service', async () => {
    const service = await customer.script(active());
    await customer.license({ service: `${service.url}/licenses/` }).activate(KEY);
    expect(service.paths).toEqual(['/licenses/validate']);
  });

  it('stores key and certificate in a file that other users cannot read', async () => {
    const certificate = ISSUER.certificate();
    await customer.script(activeWith(certificate));
    await customer.license().activate(KEY);
    expect(customer.state).toEqual({
      version: 1,
      machine: createHash('sha256')
        .update(`license-state:v1\n${ISSUER.id}\n${PRODUCT}\n${FINGERPRINT}`)
        .digest('base64url'),
      key: KEY,
      certificate,
      rejection: null,
      rememberedTime: NOW,
    });
    expect(fs.statSync(customer.stateFile).mode & 0o777).toBe(0o600);
    expect(fs.statSync(customer.folder).mode & 0o777).toBe(0o700);
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  });

  it('accepts a certificate that the next key has signed', async () => {
    await customer.script(active());
    const keys = [new Issuer().jwk, ISSUER.jwk];
    expect(await customer.license({ keys }).activate(KEY)).toMatchObject({ state: 'valid' });
  });

  it.each([undefined, null, 1, '', '  '])('rejects the key %j without a request', async (key) => {
    const service = await customer.script(active());
    const activation = customer.license().activate(key as string);
    await expect(activation).rejects.toMatchObject({ code: 'LICENSE_KEY_REQUIRED' });
    expect(service.asked).toEqual([]);
  });

  const LIMIT = { success: false, errors: 'too many requests', status: 429 };
  it.each<[keyof typeof CONTACT_MESSAGES, Reply[]]>([
    ['unknown_key', [validation('invalid')]],
    ['revoked', [validation('revoked')]],
    ['expired', [validation('expired')]],
    ['other_machine', [validation('machine_mismatch')]],
    ['unknown_key', [validation('pending'), json(404, { code: 'LICENSE_NOT_FOUND' })]],
    ['revoked', [validation('pending'), json(403, { code: 'LICENSE_REVOKED' })]],
    ['expired', [validation('pending'), json(403, { code: 'LICENSE_EXPIRED' })]],
    ['other_machine', [validation('pending'), json(403, { code: 'LICENSE_ON_ANOTHER_MACHINE' })]],
    ['rate_limited', [validation('pending'), json(429, LIMIT)]],
    ['no_certificate', [validation('active')]],
    ['no_certificate', [validation('pending'), json(200, { success: true })]],
    ['bad_certificate', [activeWith('certificate')]],
    ['not_the_service', [validation('pending'), json(200, { success: false })]],
    ['not_the_service', [page(200)]],
    ['server_error', [page(502)]],
    ['request_rejected', [page(403)]],
  ])('throws %s, and stores nothing', async (code, replies) => {
    await customer.script(...replies);
    const error = await rejectionOf(customer.license().activate(KEY));
    expect(error).toBeInstanceOf(LicenseError);
    expect(error).toMatchObject({ code, message: CONTACT_MESSAGES[code] });
    expect(customer.license().status()).toMatchObject({ state: 'none' });
  });

  it('throws no_response where nothing listens', async () => {
    const activation = customer.license().activate(KEY);
    await expect(activation).rejects.toMatchObject({ code: 'no_response', retryAfter: null });
  });

  it("throws the service's own code and message for other rejections", async () => {
    await customer.script(
      json(400, { code: 'FINGERPRINT_REQUIRED', message: 'Fingerprint is required' }),
    );
    await expect(customer.license().activate(KEY)).rejects.toMatchObject({
      code: 'FINGERPRINT_REQUIRED',
      message: 'Fingerprint is required',
    });
  });

  it.each([
    ['rate_limited', 429],
    ['server_error', 503],
  ])('reports the seconds of Retry-After: %s', async (code, status) => {
    await customer.script(json(status, {}, { 'Retry-After': '42' }));
    await expect(customer.license().activate(KEY)).rejects.toMatchObject({ code, retryAfter: 42 });
  });

  it('ignores a Retry-After that is a date', async () => {
    await customer.script(json(503, {}, { 'Retry-After': 'Fri, 15 Jan 2027 08:00:00 GMT' }));
    await expect(customer.license().activate(KEY)).rejects.toMatchObject({ retryAfter: null });
  });
});

describe('a second key', () => {
  const OTHER = { licenseId: '665f1c2ab7e4a90099999999', services: ['Maintenance'], days: 1 };

  it('replaces the first on success, though its certificate ends earlier', async () => {
    const license = await customer.activated();
    await customer.script(active(OTHER));
    await customer.license().activate(OTHER_KEY);
    expect(license.status()).toMatchObject({ state: 'valid', services: ['Maintenance'] });
    expect(customer.state.key).toBe(OTHER_KEY);
  });

  it('leaves the first if it is rejected', async () => {
    await customer.activated();
    const before = customer.state;
    await customer.script(validation('revoked'));
    await expect(customer.license().activate(OTHER_KEY)).rejects.toMatchObject({ code: 'revoked' });
    expect(customer.state).toEqual(before);
    expect(customer.license().status()).toMatchObject({ state: 'valid', reason: null });
  });
});
