import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Status } from '../../sdk/node/src/index.js';
import { json, page } from './scripted-service.js';
import {
  active,
  activated,
  activeWith,
  Customer,
  HeldReply,
  ISSUER,
  KEY,
  validation,
} from './customer.js';
import { DAY, FINGERPRINT, Issuer, NOW } from './issuer.js';

const run = promisify(execFile);
const SDK = path.resolve('sdk/node/dist/index.js');

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(() => customer.leave());

const until = (seconds: number) => new Date(seconds * 1000);

describe('refresh', () => {
  it('replaces the certificate by a later one', async () => {
    const license = await customer.activated();
    customer.wait(1);
    const service = await customer.script(active({ issuedAt: customer.now }));
    expect(await customer.license().refresh()).toMatchObject({
      state: 'valid',
      until: until(NOW + 8 * DAY),
    });
    expect(license.status().until).toEqual(until(NOW + 8 * DAY));
    expect(service.paths).toEqual(['/validate']);
    expect(customer.state.key).toBe(KEY);
  });

  it('brings changed entitlements and services, though the new certificate ends earlier', async () => {
    await customer.activated({ days: 30, entitlements: ['sso'] });
    customer.wait(1);
    const services = ['Maintenance'];
    const changed = { issuedAt: customer.now, services, entitlements: ['export'] };
    await customer.script(active(changed));
    expect(await customer.license().refresh()).toMatchObject({
      state: 'valid',
      until: until(NOW + 8 * DAY),
      services,
      entitlements: ['export'],
    });
  });

  it('never shortens an installed certificate, but takes the rest from the later one', async () => {
    const license = await customer.activated();
    license.install(ISSUER.certificate({ days: 366, licenseEnd: NOW + 400 * DAY }));
    for (const [day, entitlement] of ['sso', 'export'].entries()) {
      customer.wait(1);
      const later = { issuedAt: customer.now, entitlements: [entitlement] };
      await customer.script(active({ ...later, licenseEnd: NOW + 400 * DAY }));
      const refreshed = await customer.license().refresh();
      expect([day, refreshed]).toMatchObject([
        day,
        { state: 'valid', until: until(NOW + 366 * DAY), entitlements: [entitlement] },
      ]);
    }
    customer.now = NOW + 366 * DAY;
    expect(license.status()).toMatchObject({ state: 'ended', reason: 'certificate_ended' });
  });

  it('never shortens a certificate of an older SDK, which did not note what was installed', async () => {
    await customer.activated({ days: 366, licenseEnd: NOW + 400 * DAY });
    customer.changeState({ installed: undefined });
    customer.wait(1);
    const later = { issuedAt: customer.now, entitlements: ['sso'], licenseEnd: NOW + 400 * DAY };
    await customer.script(active(later));
    expect(await customer.license().refresh()).toMatchObject({
      until: until(NOW + 366 * DAY),
      entitlements: ['sso'],
    });
  });

  it('keeps the newer of two certificates with the same exp', async () => {
    await customer.activated({ services: ['Hosting'] });
    await customer.script(active({ services: ['Maintenance'] }));
    expect((await customer.license().refresh()).services).toEqual(['Maintenance']);
  });

  it('activates again if the service has lost the activation', async () => {
    await customer.activated();
    customer.wait(1);
    const later = { issuedAt: customer.now };
    const service = await customer.script(validation('pending'), activated(later));
    expect((await customer.license().refresh()).until).toEqual(until(NOW + 8 * DAY));
    expect(service.paths).toEqual(['/validate', '/validate/activate']);
  });
});

describe('a rejection by the service', () => {
  it.each([
    ['revoked', 'revoked'],
    ['expired', 'expired'],
    ['machine_mismatch', 'other_machine'],
    ['suspended', 'suspended'],
    ['lease_ended', 'lease_ended'],
  ])('%s ends the license until the next good certificate', async (status, state) => {
    const license = await customer.activated();
    const before = customer.state;
    await customer.script(validation(status), active({ days: 6 }));
    const rejected = { state, until: null, services: [], entitlements: [], reason: 'rejected' };
    expect(await customer.license().refresh()).toEqual(rejected);
    expect(license.status()).toEqual(rejected);
    expect(customer.state).toEqual({ ...before, rejection: state });
    expect(await customer.license().refresh()).toMatchObject({
      state: 'valid',
      until: until(NOW + 7 * DAY),
    });
  });

  it('persists while the service is unavailable', async () => {
    await customer.activated();
    await customer.script(validation('revoked'), page(503));
    const license = customer.license();
    await license.refresh();
    expect(await license.refresh()).toMatchObject({ state: 'revoked', reason: 'server_error' });
  });

  it('of an activation ends no license: the next validation decides', async () => {
    await customer.activated();
    await customer.script(validation('pending'), json(403, { code: 'LICENSE_REVOKED' }));
    expect(await customer.license().refresh()).toMatchObject({
      state: 'valid',
      reason: 'request_rejected',
    });
    expect(customer.state.rejection).toBeNull();
  });
});

describe('a certificate that the program does not accept', () => {
  it.each([
    ['of another issuer key', new Issuer().certificate()],
    ['of another product', ISSUER.certificate({ product: 'com.example.cheap-shop' })],
    ['of another machine', ISSUER.certificate({ fingerprint: `${FINGERPRINT}!` })],
    ['with whitespace', `${ISSUER.certificate()}\n`],
    ['that is no text', { certificate: true }],
  ])('%s changes nothing', async (_name, certificate) => {
    await customer.activated();
    const before = customer.state;
    await customer.script(activeWith(certificate));
    expect(await customer.license().refresh()).toMatchObject({
      state: 'valid',
      reason: 'bad_certificate',
    });
    expect(customer.state).toEqual(before);
  });
});

describe('a refresh that overlaps another change', () => {
  const OTHER_KEY = 'LIC-665f1c2ab7e4a90012345678-AAAA-BBBB-CCCC';
  const OTHER = { licenseId: '665f1c2ab7e4a90099999999' };

  it.each([
    ['certificate', active({ days: 30 })],
    ['rejection', validation('revoked')],
  ])('leaves another key that was activated meanwhile: %s', async (_name, reply) => {
    await customer.activated();
    const held = new HeldReply(reply);
    await customer.script(held.hold, active(OTHER));
    const license = customer.license();
    const refreshed = license.refresh();
    await held.requested;
    await customer.license().activate(OTHER_KEY);
    const before = customer.state;
    held.send();
    expect(await refreshed).toMatchObject({ state: 'valid' });
    expect(customer.state).toEqual(before);
    expect(before.key).toBe(OTHER_KEY);
  });

  it('does not bring back a license that was forgotten meanwhile', async () => {
    await customer.activated();
    const held = new HeldReply(active());
    await customer.script(held.hold);
    const license = customer.license();
    const refreshed = license.refresh();
    await held.requested;
    license.forget();
    held.send();
    expect(await refreshed).toMatchObject({ state: 'none' });
  });
});

/** Refreshes with the built SDK in a process of its own. */
async function refreshInProcess(): Promise<Status> {
  const { now, ...options } = customer.options;
  const program = `
    import { License } from ${JSON.stringify(SDK)};
    const license = new License({ ...${JSON.stringify(options)}, now: () => ${now!()} });
    console.log(JSON.stringify(await license.refresh()));
  `;
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse((await run(process.execPath, args)).stdout) as Status;
}

describe('processes that refresh at once', () => {
  it('leave a complete file with the certificate that ends later, whichever writes last', async () => {
    await customer.activated();
    const early = new HeldReply(active({ days: 20 }));
    await customer.script(early.hold, active({ days: 30 }));
    const first = refreshInProcess();
    await early.requested;
    await refreshInProcess();
    early.send();
    const end = new Date((NOW + 30 * DAY) * 1000);
    expect((await first).until).toBe(end.toISOString());
    expect(customer.license().status()).toMatchObject({ state: 'valid', until: end });
  });
});
