import fs from 'node:fs';
import path from 'node:path';
import {
  active,
  activeWith,
  Customer,
  HeldReply,
  ISSUER,
  KEY,
  LEASE,
  lease,
  leased,
  rejected,
  validation,
} from './customer.js';
import { HANG_UP, json, page, type Reply } from './scripted-service.js';
import { DAY, FINGERPRINT, Issuer, NOW, PRODUCT } from './issuer.js';
import { unprivileged } from './unprivileged.js';

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(() => customer.leave());

const until = (seconds: number) => new Date(seconds * 1000);

describe('a heartbeat', () => {
  it('stores the new certificate, which ends with the lease', async () => {
    const license = await customer.leased();
    expect(license.status()).toMatchObject({ state: 'valid', until: until(NOW + LEASE) });
    customer.now += LEASE / 2;
    const service = await customer.script(lease({ issuedAt: customer.now }));
    const status = await customer.license().heartbeat();
    expect(status).toMatchObject({ state: 'valid', until: until(NOW + 1.5 * LEASE), reason: null });
    expect(license.status()).toEqual(status);
    expect(service.paths).toEqual(['/validate/heartbeat']);
    const body = { key: KEY, fingerprint: FINGERPRINT, product: PRODUCT, certificate: true };
    expect(service.asked[0]!.body).toEqual(body);
  });

  it('brings changed entitlements, though the end of the lease has not moved', async () => {
    await customer.leased({ entitlements: ['sso'] });
    customer.now += 60;
    const moved = { issuedAt: customer.now, leaseSeconds: LEASE - 60, entitlements: ['export'] };
    await customer.script(lease(moved));
    expect(await customer.license().heartbeat()).toMatchObject({
      until: until(NOW + LEASE),
      entitlements: ['export'],
    });
  });

  it.each(['lease_ended', 'suspended'])('makes a license valid again that was %s', async (name) => {
    await customer.leased();
    await customer.script(validation(name), lease());
    const license = customer.license();
    expect(await license.refresh()).toMatchObject({ state: name, reason: 'rejected' });
    expect(await license.heartbeat()).toMatchObject({ state: 'valid', reason: null });
  });

  it.each([
    [403, 'MACHINE_LIMIT_REACHED'],
    [403, 'LICENSE_SUSPENDED'],
    [409, 'LICENSE_HAS_NO_LEASES'],
    [409, 'LICENSE_NOT_ACTIVATED'],
    [409, 'SOME_LATER_CODE'],
  ])(
    'that is rejected throws the code of the service, and changes nothing: %i %s',
    async (status, code) => {
      await customer.leased();
      await expectUnchanged(rejected(status, code), { code, message: `Message of ${code}` });
    },
  );

  it.each<[string, Reply]>([
    ['revoked', rejected(403, 'LICENSE_REVOKED')],
    ['expired', rejected(403, 'LICENSE_EXPIRED')],
    ['other_machine', rejected(403, 'LICENSE_ON_ANOTHER_MACHINE')],
    ['unknown_key', rejected(404, 'LICENSE_NOT_FOUND')],
    ['no_response', HANG_UP],
    ['server_error', page(503)],
    ['rate_limited', page(429)],
    ['not_the_service', page(200)],
    ['not_the_service', json(200, { success: false })],
    ['not_the_service', activeWith(ISSUER.certificate())],
    ['no_certificate', json(200, { success: true })],
    ['bad_certificate', json(200, { success: true, certificate: new Issuer().certificate() })],
  ])('throws %s, and changes nothing', async (code, reply) => {
    await customer.leased();
    await expectUnchanged(reply, { code });
  });

  /** The reason of the last refresh is left, too. */
  async function expectUnchanged(reply: Reply, error: object): Promise<void> {
    const before = customer.state;
    await customer.script(reply);
    const license = customer.license();
    await expect(license.heartbeat()).rejects.toMatchObject({ name: 'LicenseError', ...error });
    expect(customer.state).toEqual(before);
    expect(license.status()).toMatchObject({ state: 'valid', reason: null });
  }

  it('clears the reason of a failed refresh', async () => {
    await customer.leased();
    await customer.script(page(503), lease());
    const license = customer.license();
    expect(await license.refresh()).toMatchObject({ reason: 'server_error' });
    expect(await license.heartbeat()).toMatchObject({ state: 'valid', reason: null });
  });

  it('says clock if its certificate is already over', async () => {
    const license = await customer.leased();
    customer.now += LEASE;
    expect(license.status()).toMatchObject({ state: 'ended' });
    await customer.script(lease());
    const status = await customer.license().heartbeat();
    expect(status).toMatchObject({ state: 'clock', reason: 'already_over' });
  });

  it('needs a stored key', async () => {
    const service = await customer.script(lease());
    const license = customer.license();
    const required = {
      code: 'LICENSE_KEY_REQUIRED',
      message: expect.stringMatching(/^No .+\.$/) as string,
    };
    await expect(license.heartbeat()).rejects.toMatchObject(required);
    license.install(ISSUER.certificate());
    await expect(license.heartbeat()).rejects.toMatchObject(required);
    expect(service.asked).toEqual([]);
  });

  it('does not bring back a license that was forgotten meanwhile', async () => {
    const license = await customer.leased();
    const held = new HeldReply(lease());
    await customer.script(held.hold);
    const beating = customer.license().heartbeat();
    await held.requested;
    license.forget();
    held.send();
    expect(await beating).toMatchObject({ state: 'none' });
  });

  it('throws folder if its certificate cannot be stored', async () => {
    await customer.leased();
    await customer.script(lease({ issuedAt: NOW + 1 }));
    const license = customer.license();
    fs.chmodSync(customer.folder, 0o555);
    // The unprivileged user must be able to reach and read the file.
    fs.chmodSync(path.dirname(customer.folder), 0o755);
    fs.chmodSync(customer.stateFile, 0o444);
    const error = await unprivileged(() => license.heartbeat().catch((thrown: unknown) => thrown));
    fs.chmodSync(customer.folder, 0o700);
    expect(error).toMatchObject({ name: 'LicenseError', code: 'folder' });
  });
});

describe('refresh of a license with leases, for which a validation signs nothing', () => {
  it('keeps the present certificate', async () => {
    await customer.leased();
    const before = customer.state;
    const service = await customer.script(leased());
    expect(await customer.license().refresh()).toMatchObject({
      state: 'valid',
      until: until(NOW + LEASE),
      reason: null,
    });
    expect(customer.state).toEqual(before);
    expect(service.paths).toEqual(['/validate']);
  });

  it('does not extend it: the license ends with its lease', async () => {
    await customer.leased();
    customer.now += LEASE;
    await customer.script(leased());
    expect(await customer.license().refresh()).toMatchObject({
      state: 'ended',
      reason: 'certificate_ended',
    });
  });

  it.each(['suspended', 'expired', 'machine_mismatch'])(
    'restores a license that was %s while its certificate lasts',
    async (status) => {
      await customer.leased();
      await customer.script(validation(status), leased());
      const license = customer.license();
      expect(await license.refresh()).toMatchObject({ reason: 'rejected' });
      expect(await license.refresh()).toMatchObject({ state: 'valid', reason: null });
      customer.now += LEASE;
      expect(license.status()).toMatchObject({ state: 'ended' });
    },
  );

  it('does not restore a certificate without a lease: only a signed response does', async () => {
    await customer.activated();
    await customer.script(validation('revoked'), leased(), active());
    const license = customer.license();
    await license.refresh();
    expect(await license.refresh()).toMatchObject({ state: 'revoked' });
    expect(await license.refresh()).toMatchObject({ state: 'valid' });
  });

  it('clears the reason of a failed one', async () => {
    await customer.leased();
    await customer.script(page(503), leased());
    const license = customer.license();
    expect(await license.refresh()).toMatchObject({ reason: 'server_error' });
    expect(await license.refresh()).toMatchObject({ state: 'valid', reason: null });
  });

  it('leaves a license that was forgotten meanwhile', async () => {
    const license = await customer.leased();
    const held = new HeldReply(leased());
    await customer.script(held.hold);
    const refreshed = customer.license().refresh();
    await held.requested;
    license.forget();
    held.send();
    expect(await refreshed).toMatchObject({ state: 'none' });
  });
});

describe('the clock of a machine with a lease', () => {
  it('may be set back by the lease, and by no more', async () => {
    const license = await customer.leased();
    customer.now = NOW - LEASE;
    expect(license.status()).toMatchObject({ state: 'valid' });
    customer.now -= 1;
    expect(license.status()).toMatchObject({ state: 'clock' });
    customer.now = NOW;
    expect(license.status()).toMatchObject({ state: 'valid' });
  });

  it('may be a day behind for a license without leases', async () => {
    const license = await customer.activated();
    customer.now = NOW - DAY;
    expect(license.status()).toMatchObject({ state: 'valid' });
  });
});
