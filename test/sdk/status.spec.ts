import fs from 'node:fs';
import path from 'node:path';
import { active, Customer, ISSUER, KEY, validation } from './customer.js';
import { page } from './scripted-service.js';
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
      entitlements: [],
      reason: null,
    });
    expect(fs.existsSync(customer.folder)).toBe(false);
  });

  it('is ended as soon as the certificate ends', async () => {
    const license = await customer.activated();
    customer.wait(7);
    expect(license.status()).toEqual({
      state: 'ended',
      until: new Date((NOW + 7 * DAY) * 1000),
      services: [],
      entitlements: [],
      reason: 'certificate_ended',
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

describe('the entitlements of a license', () => {
  const ENTITLED = { entitlements: ['export.pdf', 'sso'] };

  it('are listed and found while it is valid', async () => {
    const license = await customer.activated(ENTITLED);
    const status = license.status();
    expect(status.entitlements).toEqual(['export.pdf', 'sso']);
    expect(
      ['sso', 'export.pdf', 'export', 'SSO', 'length'].map((name) => status.has(name)),
    ).toEqual([true, true, false, false, false]);
  });

  it('are none once the certificate has ended', async () => {
    const license = await customer.activated(ENTITLED);
    customer.wait(7);
    expect(license.status().entitlements).toEqual([]);
    expect(license.status().has('sso')).toBe(false);
  });

  it('are none in older certificates, and while nothing is stored', async () => {
    expect(customer.license().status().has('sso')).toBe(false);
    const license = await customer.activated();
    expect(license.status()).toMatchObject({ state: 'valid', entitlements: [] });
  });

  it('are found though the last refresh failed', async () => {
    await customer.activated(ENTITLED);
    await customer.script(page(503));
    const status = await customer.license().refresh();
    expect(status.reason).toBe('server_error');
    expect(status.has('sso')).toBe(true);
  });

  it('are in the JSON of a status, which has no other new member', async () => {
    const license = await customer.activated(ENTITLED);
    const json = JSON.parse(JSON.stringify(license.status())) as object;
    expect(Object.keys(json)).toEqual(['state', 'until', 'services', 'entitlements', 'reason']);
  });
});

describe('a perpetual license', () => {
  it('is valid until its certificate ends', async () => {
    const licenseEnd = Date.parse('9999-12-31T23:59:59.999Z') / 1000;
    const license = await customer.activated({ licenseEnd });
    expect(license.status()).toMatchObject({
      state: 'valid',
      until: new Date((NOW + 7 * DAY) * 1000),
    });
  });
});

describe('a state file of another machine', () => {
  it('is rejected whatever else it holds', async () => {
    await customer.activated();
    customer.changeState({ key: 1, certificate: 2, rejection: 3, rememberedTime: -4 });
    const license = customer.license({ fingerprint: `${FINGERPRINT}!` });
    expect(license.status()).toMatchObject({ state: 'other_machine', reason: 'state_file' });
  });

  it('is replaced by an activation', async () => {
    const license = await customer.activated();
    customer.changeState({ machine: 'another' });
    expect(license.status()).toMatchObject({ state: 'other_machine' });
    await customer.license().activate(KEY);
    expect(license.status()).toMatchObject({ state: 'valid' });
  });
});

describe('a damaged state file', () => {
  it.each(['', '{"version":1,', 'null', '[]'])('that is %j', async (text) => {
    await customer.activated();
    fs.writeFileSync(customer.stateFile, text);
    expect(customer.license().status()).toMatchObject({ state: 'damaged', reason: 'state_file' });
  });

  it.each([
    { version: 2 },
    { machine: null },
    { key: 1 },
    { certificate: undefined },
    { installed: 1 },
    { rejection: 'ended' },
    { rememberedTime: '0' },
    { rememberedTime: -1 },
    { rememberedTime: 0.5 },
  ])('with %j', async (changes) => {
    await customer.activated();
    customer.changeState(changes);
    expect(customer.license().status()).toMatchObject({ state: 'damaged', reason: 'state_file' });
  });

  it('is not one whose certificate is damaged, which a refresh heals', async () => {
    const license = await customer.activated();
    customer.changeState({ certificate: 'text' });
    expect(license.status()).toMatchObject({ state: 'damaged', reason: 'format' });
    await customer.script(page(503), active());
    const program = customer.license();
    expect(await program.refresh()).toMatchObject({ state: 'damaged', reason: 'server_error' });
    expect(await program.refresh()).toMatchObject({ state: 'valid' });
  });

  it.each([
    ['of another license', () => ISSUER.certificate({ days: 30, licenseId: 'another' })],
    ['of another key', () => new Issuer().certificate({ days: 30 })],
    ['that is no certificate', () => 'text'],
  ])('is not one with an installed certificate %s, which keeps nothing', async (_name, issue) => {
    await customer.activated();
    customer.changeState({ installed: issue() });
    expect(customer.license().status()).toMatchObject({
      state: 'valid',
      until: new Date((NOW + 7 * DAY) * 1000),
    });
  });

  it('is replaced by an activation', async () => {
    const license = await customer.activated();
    fs.writeFileSync(customer.stateFile, 'damaged');
    await customer.license().activate(KEY);
    expect(license.status()).toMatchObject({ state: 'valid' });
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
  const UNREADABLE = {
    state: 'unreadable',
    until: null,
    services: [],
    entitlements: [],
    reason: 'folder',
  };

  it('is unreadable without permission, and throws nothing', async () => {
    const license = await customer.activated();
    fs.chmodSync(path.dirname(customer.folder), 0o000);
    const status = await unprivileged(() => license.status());
    const refreshed = await unprivileged(() => customer.license().refresh());
    fs.chmodSync(path.dirname(customer.folder), 0o700);
    expect(status).toEqual(UNREADABLE);
    expect(refreshed).toEqual(UNREADABLE);
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
