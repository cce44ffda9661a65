import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { active, Customer, ISSUER, KEY, validation } from './customer.js';
import { DAY, FINGERPRINT, Issuer, NOW, PRODUCT } from './issuer.js';

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(() => customer.leave());

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

  it('has a different check for a different fingerprint', () => {
    const check = (license: string) => (JSON.parse(license) as { check: string }).check;
    const other = customer.license({ fingerprint: FINGERPRINT.replace('f', 'g') });
    expect(check(other.request())).not.toBe(check(customer.license().request()));
  });

  it('throws folder if a machine without an id cannot store one', () => {
    fs.writeFileSync(customer.folder, '');
    process.env.KUBERNETES_SERVICE_HOST = '10.0.0.1';
    try {
      const license = customer.license({ fingerprint: undefined });
      expect(() => license.request()).toThrow(rejection('folder'));
    } finally {
      delete process.env.KUBERNETES_SERVICE_HOST;
    }
  });
});

describe('install', () => {
  it('licenses a machine that never sees a network', () => {
    const { fingerprint, product } = JSON.parse(customer.license().request()) as {
      fingerprint: string;
      product: string;
    };
    const certificate = ISSUER.certificate({
      fingerprint,
      product,
      days: 366,
      licenseEnd: NOW + 400 * DAY,
    });
    const status = customer.license().install(`\r\n  ${certificate}\n\n`);
    expect(status).toEqual({
      state: 'valid',
      until: until(NOW + 366 * DAY),
      services: ['Hosting'],
      reason: null,
    });
    expect(customer.license().status()).toEqual(status);
    expect(customer.state).toMatchObject({ key: null, certificate });
  });

  it.each([
    ['format', 'certificate'],
    ['format', ''],
    ['format', undefined],
    ['format', null],
    ['format', 1],
    ['format', Buffer.from(ISSUER.certificate())],
    ['format', { toString: () => ISSUER.certificate() }],
    ['format', Object.create(null)],
    ['format', ISSUER.certificate().replace('.', '.\n')],
    ['header', ISSUER.certificate().replace(/^[^.]+/, 'e30')],
    ['key', new Issuer().certificate()],
    ['signature', ISSUER.certificate().replace(/[^.]+$/, 'AAAA')],
    ['product', ISSUER.certificate({ product: 'com.example.other' })],
    ['machine', ISSUER.certificate({ fingerprint: `${FINGERPRINT}!` })],
  ])('throws %s and keeps what is stored', async (code, certificate: unknown) => {
    const license = await customer.activated();
    const before = customer.state;
    expect(() => license.install(certificate as string)).toThrow(rejection(code));
    expect(customer.state).toEqual(before);
  });

  it("throws issuer for another account's certificate", () => {
    const license = customer.license({ issuer: '65f1c2ab7e4a900123456780' });
    expect(() => license.install(ISSUER.certificate())).toThrow(rejection('issuer'));
  });

  it('stores a certificate that has ended, and returns the state ended', () => {
    customer.wait(8);
    expect(customer.license().install(ISSUER.certificate())).toMatchObject({
      state: 'ended',
      reason: 'certificate_ended',
    });
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

  it('never shortens a certificate', async () => {
    const license = await customer.activated({ days: 30 });
    expect(license.install(ISSUER.certificate()).until).toEqual(until(NOW + 30 * DAY));
  });

  it('clears a stored rejection', async () => {
    await customer.activated();
    await customer.script(validation('revoked'));
    const license = customer.license();
    await license.refresh();
    expect(license.install(ISSUER.certificate({ days: 30 }))).toMatchObject({
      state: 'valid',
      reason: null,
    });
  });

  it('sends nothing, and neither does refresh without a key', async () => {
    const service = await customer.script(active());
    const license = customer.license();
    license.install(ISSUER.certificate());
    expect(await license.refresh()).toMatchObject({ state: 'valid', reason: null });
    expect(service.asked).toEqual([]);
  });
});
