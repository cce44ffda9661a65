import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { CONTACT_MESSAGES } from '../../sdk/node/src/license-error.js';
import { json, type Reply } from './scripted-service.js';
import { active, activated, activeWith, Customer, ISSUER, KEY, validation } from './customer.js';
import { DAY, FINGERPRINT, Issuer, NOW, PRODUCT } from './issuer.js';

const OTHER_KEY = 'LIC-665f1c2ab7e4a90012345678-AAAA-BBBB-CCCC';

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(() => customer.leave());

describe('activate', () => {
  it('activates a pending license, which is then valid', async () => {
    const service = await customer.script(validation('pending'), activated());
    const license = customer.license();
    const status = await license.activate(`  ${KEY}\n`);
    expect(status).toEqual({
      state: 'valid',
      until: new Date((NOW + 7 * DAY) * 1000),
      services: ['Hosting'],
      entitlements: [],
      reason: null,
    });
    expect(license.status()).toEqual(status);
    expect(service.paths).toEqual(['/validate', '/validate/activate']);
    const body = { key: KEY, fingerprint: FINGERPRINT, product: PRODUCT, certificate: true };
    expect(service.asked.map((request) => request.body)).toEqual([body, body]);
  });

  it('only validates a license that is active, because activations have the lower rate limit, below the path of the service', async () => {
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
      installed: null,
      rejection: null,
      rememberedTime: NOW,
    });
    expect(fs.statSync(customer.stateFile).mode & 0o777).toBe(0o600);
    expect(fs.statSync(customer.folder).mode & 0o777).toBe(0o700);
    expect(fs.readdirSync(customer.folder)).toHaveLength(1);
  });

  it.each([undefined, null, 1, '', '  '])('rejects the key %j without a request', async (key) => {
    const service = await customer.script(active());
    const activation = customer.license().activate(key as string);
    await expect(activation).rejects.toMatchObject({ code: 'LICENSE_KEY_REQUIRED' });
    expect(service.asked).toEqual([]);
  });

  it.each<[keyof typeof CONTACT_MESSAGES, Reply[]]>([
    ['unknown_key', [validation('invalid')]],
    ['revoked', [validation('revoked')]],
    ['expired', [validation('expired')]],
    ['other_machine', [validation('machine_mismatch')]],
    ['suspended', [validation('suspended')]],
    ['unknown_key', [validation('pending'), json(404, { code: 'LICENSE_NOT_FOUND' })]],
    ['revoked', [validation('pending'), json(403, { code: 'LICENSE_REVOKED' })]],
    ['expired', [validation('pending'), json(403, { code: 'LICENSE_EXPIRED' })]],
    ['other_machine', [validation('pending'), json(403, { code: 'LICENSE_ON_ANOTHER_MACHINE' })]],
    ['no_certificate', [validation('pending'), json(200, { success: true })]],
    ['not_the_service', [validation('pending'), json(200, { success: false })]],
  ])('throws %s, and stores nothing', async (code, replies) => {
    await customer.script(...replies);
    const rejection = expect(customer.license().activate(KEY)).rejects;
    await rejection.toMatchObject({ name: 'LicenseError', code, message: CONTACT_MESSAGES[code] });
    expect(customer.license().status()).toMatchObject({ state: 'none' });
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
    ['rate_limited', 429, '42', 42],
    ['server_error', 503, '42', 42],
    ['server_error', 503, 'Fri, 15 Jan 2027 08:00:00 GMT', null],
  ])('reports a Retry-After in seconds: %s %i %s', async (code, status, after, retryAfter) => {
    await customer.script(json(status, {}, { 'Retry-After': after }));
    await expect(customer.license().activate(KEY)).rejects.toMatchObject({ code, retryAfter });
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

const until = (seconds: number) => new Date(seconds * 1000);
const rejection = (code: string) =>
  expect.objectContaining({
    name: 'LicenseError',
    code,
    message: expect.stringMatching(/^[A-Z].+\.$/) as string,
  }) as Error;

describe('request', () => {
  it('is one line of JSON with the fingerprint, the product and a check of both', () => {
    const text = customer.license().request();
    const check = createHash('sha256')
      .update(`license-request:v1\n${PRODUCT}\n${FINGERPRINT}`)
      .digest('hex')
      .slice(0, 8);
    expect(text).not.toContain('\n');
    expect(JSON.parse(text)).toEqual({ fingerprint: FINGERPRINT, product: PRODUCT, check });
  });
});

describe('install', () => {
  it('licenses a machine that never sees a network', () => {
    const certificate = ISSUER.certificate({ days: 366, licenseEnd: NOW + 400 * DAY });
    const status = customer.license().install(`\r\n  ${certificate}\n\n`);
    expect(status).toEqual({
      state: 'valid',
      until: until(NOW + 366 * DAY),
      services: ['Hosting'],
      entitlements: [],
      reason: null,
    });
    expect(customer.license().status()).toEqual(status);
    expect(customer.state).toMatchObject({ key: null, certificate, installed: certificate });
  });

  it.each([
    ['format', undefined],
    ['format', { toString: () => ISSUER.certificate() }],
    ['format', ISSUER.certificate().replace('.', '.\n')],
    ['key', new Issuer().certificate()],
    ['product', ISSUER.certificate({ product: 'com.example.other' })],
    ['machine', ISSUER.certificate({ fingerprint: `${FINGERPRINT}!` })],
  ])('throws %s and keeps what is stored', async (code, certificate: unknown) => {
    const license = await customer.activated();
    const before = customer.state;
    expect(() => license.install(certificate as string)).toThrow(rejection(code));
    expect(customer.state).toEqual(before);
  });

  it('keeps the key of the same license, so that refresh continues online', async () => {
    const license = await customer.activated();
    license.install(ISSUER.certificate({ days: 30 }));
    expect(customer.state.key).toBe(KEY);
    expect(license.status().until).toEqual(until(NOW + 30 * DAY));
  });

  it('drops the key of another license, which would bring back its certificate', async () => {
    const license = await customer.activated({ days: 30 });
    license.install(ISSUER.certificate({ licenseId: '665f1c2ab7e4a90099999999' }));
    expect(customer.state.key).toBeNull();
    expect(license.status().until).toEqual(until(NOW + 7 * DAY));
  });

  it('keeps the key where the stored certificate has become damaged, as after a change of keys', async () => {
    await customer.activated();
    customer.changeState({ certificate: new Issuer().certificate() });
    customer.license().install(ISSUER.certificate());
    expect(customer.state.key).toBe(KEY);
  });

  it('sends nothing, and neither does refresh without a key', async () => {
    const service = await customer.script(active());
    const license = customer.license();
    license.install(ISSUER.certificate());
    expect(await license.refresh()).toMatchObject({ state: 'valid', reason: null });
    expect(service.asked).toEqual([]);
  });
});
