import fs from 'node:fs';
import path from 'node:path';
import { Customer, ISSUER, validation, withCustomer } from './customer.js';
import { DAY, FINGERPRINT, Issuer, NOW, PRODUCT } from './issuer.js';
import { unprivileged } from './unprivileged.js';

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(() => customer.leave());

describe('the state of a license', () => {
  it('is none before the first activation, and nothing is written', () => {
    expect(customer.license().status()).toEqual({
      state: 'none',
      until: null,
      services: [],
      reason: null,
    });
    expect(fs.existsSync(customer.folder)).toBe(false);
  });

  it('is valid until its certificate ends', async () => {
    const license = await customer.activated();
    expect(license.status()).toEqual({
      state: 'valid',
      until: new Date((NOW + 7 * DAY) * 1000),
      services: ['Hosting'],
      reason: null,
    });
  });

  it('is ended as soon as the certificate ends', async () => {
    const license = await customer.activated();
    customer.wait(7);
    expect(license.status()).toEqual({
      state: 'ended',
      until: new Date((NOW + 7 * DAY) * 1000),
      services: [],
      reason: 'certificate_ended',
    });
  });

  it('is expired as soon as the license ends', async () => {
    const license = await customer.activated({ licenseEnd: NOW + 2 * DAY });
    customer.wait(2);
    expect(license.status()).toEqual({
      state: 'expired',
      until: new Date((NOW + 2 * DAY) * 1000),
      services: [],
      reason: 'license_expired',
    });
  });

  it('is revoked once the service has responded so', async () => {
    const license = await customer.activated();
    await customer.script(validation('revoked'));
    await customer.license().refresh();
    expect(license.status()).toMatchObject({ state: 'revoked', reason: 'rejected' });
  });

  it('is damaged for a program with other keys', async () => {
    await customer.activated();
    const status = customer.license({ keys: [new Issuer().jwk] }).status();
    expect(status).toMatchObject({ state: 'damaged', reason: 'key' });
  });

  it('is other_product for a certificate of another product', async () => {
    await customer.activated();
    customer.changeState({ certificate: ISSUER.certificate({ product: 'com.example.other' }) });
    expect(customer.license().status()).toMatchObject({
      state: 'other_product',
      reason: 'product',
    });
  });

  it('is other_machine for a certificate of another machine', async () => {
    await customer.activated();
    customer.changeState({ certificate: ISSUER.certificate({ fingerprint: `${FINGERPRINT}!` }) });
    expect(customer.license().status()).toMatchObject({
      state: 'other_machine',
      reason: 'machine',
    });
  });

  it('is none again after forget', async () => {
    const license = await customer.activated();
    license.forget();
    expect(license.status()).toMatchObject({ state: 'none' });
    expect(fs.readdirSync(customer.folder)).toEqual([]);
    license.forget();
  });
});

describe('a state file of another machine', () => {
  it('is rejected', async () => {
    await customer.activated();
    const license = customer.license({ fingerprint: `${FINGERPRINT}!` });
    expect(license.status()).toMatchObject({ state: 'other_machine', reason: 'state_file' });
  });

  it('is rejected whatever else it holds', async () => {
    await customer.activated();
    customer.changeState({ key: 1, certificate: 2, rejection: 3, rememberedTime: -4 });
    const license = customer.license({ fingerprint: `${FINGERPRINT}!` });
    expect(license.status()).toMatchObject({ state: 'other_machine', reason: 'state_file' });
  });

  it('is neither used nor changed by refresh', async () => {
    await customer.activated();
    const before = customer.state;
    const service = await customer.script(validation('machine_mismatch'));
    const license = customer.license({ fingerprint: `${FINGERPRINT}!` });
    expect(await license.refresh()).toMatchObject({ state: 'other_machine' });
    expect(service.asked).toEqual([]);
    expect(customer.state).toEqual(before);
  });

  it('is replaced by an activation', () =>
    withCustomer(async (copy) => {
      const fingerprint = `${FINGERPRINT}!`;
      await customer.activated();
      await copy.activated({ fingerprint }).catch(() => undefined);
      fs.cpSync(customer.folder, copy.folder, { recursive: true });
      const license = copy.license({ fingerprint });
      expect(license.status()).toMatchObject({ state: 'other_machine' });
      await license.activate('LIC-665f1c2ab7e4a90012345678-AAAA-BBBB-CCCC');
      expect(license.status()).toMatchObject({ state: 'valid' });
    }));
});

describe('a damaged state file', () => {
  it.each([
    ['is empty', ''],
    ['is not JSON', '{"version":1,'],
    ['is text', '"valid"'],
    ['is null', 'null'],
    ['is an array', '[]'],
  ])('that %s', async (_name, text) => {
    await customer.activated();
    fs.writeFileSync(customer.stateFile, text);
    expect(customer.license().status()).toMatchObject({ state: 'damaged', reason: 'state_file' });
  });

  it.each([
    { version: 2 },
    { version: '1' },
    { version: undefined },
    { machine: null },
    { machine: undefined },
    { key: 1 },
    { key: undefined },
    { certificate: {} },
    { certificate: undefined },
    { rejection: 'ended' },
    { rejection: false },
    { rejection: undefined },
    { rememberedTime: '0' },
    { rememberedTime: -1 },
    { rememberedTime: 0.5 },
    { rememberedTime: null },
    { rememberedTime: undefined },
  ])('with %j', async (changes) => {
    await customer.activated();
    customer.changeState(changes);
    expect(customer.license().status()).toMatchObject({ state: 'damaged', reason: 'state_file' });
  });

  it('is replaced by an activation', async () => {
    const license = await customer.activated();
    fs.writeFileSync(customer.stateFile, 'damaged');
    await customer.license().activate('LIC-665f1c2ab7e4a90012345678-AAAA-BBBB-CCCC');
    expect(license.status()).toMatchObject({ state: 'valid' });
  });

  it('is left unchanged by refresh, which has no key', async () => {
    await customer.activated();
    fs.writeFileSync(customer.stateFile, 'damaged');
    expect(await customer.license().refresh()).toMatchObject({ state: 'damaged' });
    expect(fs.readFileSync(customer.stateFile, 'utf8')).toBe('damaged');
  });

  it.each([
    ['revoked', 'revoked', 'rejected'],
    [null, 'none', null],
  ])(
    'is not one without a certificate, with the rejection %j',
    async (rejection, state, reason) => {
      await customer.activated();
      customer.changeState({ certificate: null, rejection });
      expect(customer.license().status()).toMatchObject({ state, reason });
    },
  );

  it('loses unknown members of its file at the next write', async () => {
    await customer.activated();
    customer.changeState({ edition: 'pro' });
    await customer.license().refresh();
    expect(customer.state).not.toHaveProperty('edition');
  });
});

describe('two products in one folder', () => {
  it('have a state file each', async () => {
    await customer.activated();
    const product = 'com.example.other';
    expect(customer.license({ product }).status()).toMatchObject({ state: 'none' });
    await customer.script(validation('revoked'));
    const activation = customer.license({ product }).activate('a key');
    await expect(activation).rejects.toMatchObject({ code: 'revoked' });
    expect(customer.license().status()).toMatchObject({ state: 'valid' });
  });

  it('have names that are a hash of issuer and product', async () => {
    await customer.activated();
    // SHA-256 of "license-state:v1\n65f1c2ab7e4a900123456789\ncom.example.web-shop".
    expect(PRODUCT).toBe('com.example.web-shop');
    expect(path.basename(customer.stateFile)).toBe('license-de02ed4f0ab649d3fa6045fa18dc0aac.json');
  });
});

describe('a folder that cannot be read', () => {
  const UNREADABLE = { state: 'unreadable', until: null, services: [], reason: 'folder' };

  it('is unreadable without permission, and throws nothing', async () => {
    const license = await customer.activated();
    fs.chmodSync(path.dirname(customer.folder), 0o000);
    const status = await unprivileged(() => license.status());
    const refreshed = await unprivileged(() => customer.license().refresh());
    fs.chmodSync(path.dirname(customer.folder), 0o700);
    expect(status).toEqual(UNREADABLE);
    expect(refreshed).toEqual(UNREADABLE);
  });

  it('is unreadable where the folder is a file', () => {
    fs.writeFileSync(customer.folder, '');
    expect(customer.license().status()).toEqual(UNREADABLE);
  });

  it('is unreadable where the state file is a folder', async () => {
    await customer.activated();
    const file = customer.stateFile;
    fs.rmSync(file);
    fs.mkdirSync(file);
    expect(customer.license().status()).toEqual(UNREADABLE);
  });

  it('makes activate throw before it sends anything, though other files can be written', async () => {
    await customer.activated();
    const file = customer.stateFile;
    fs.rmSync(file);
    fs.mkdirSync(file);
    const service = await customer.script(validation('pending'));
    await expect(customer.license().activate('a key')).rejects.toMatchObject({ code: 'folder' });
    expect(service.asked).toEqual([]);
  });

  it('makes activate, install and forget throw folder', async () => {
    fs.writeFileSync(customer.folder, '');
    const service = await customer.script(validation('pending'));
    const license = customer.license();
    const folder = expect.objectContaining({ name: 'LicenseError', code: 'folder' }) as Error;
    await expect(license.activate('a key')).rejects.toEqual(folder);
    expect(() => license.install(ISSUER.certificate())).toThrow(folder);
    expect(() => license.forget()).toThrow(folder);
    expect(service.asked).toEqual([]);
  });
});
