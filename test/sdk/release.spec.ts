import fs from 'node:fs';
import path from 'node:path';
import { HANG_UP, json, page, type Reply } from './scripted-service.js';
import { active, Customer, HeldReply, ISSUER, KEY, rejected } from './customer.js';
import { FINGERPRINT, PRODUCT } from './issuer.js';
import { unprivileged } from './unprivileged.js';

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(() => customer.leave());

const OTHER_KEY = 'LIC-665f1c2ab7e4a90012345678-AAAA-BBBB-CCCC';
const RELEASED = json(200, { success: true, message: 'License released from this machine' });

describe('release', () => {
  it('gives up the place of this machine, and deletes key, certificate and state', async () => {
    await customer.activated();
    const service = await customer.script(RELEASED);
    const license = customer.license({ machineName: 'is not sent' });
    expect(await license.release()).toMatchObject({ state: 'none', reason: null });
    expect(service.paths).toEqual(['/validate/release']);
    const body = { key: KEY, fingerprint: FINGERPRINT, product: PRODUCT };
    expect(service.asked[0]!.body).toEqual(body);
    expect(fs.readdirSync(customer.folder)).toEqual([]);
  });

  it('leaves nothing of a failed refresh', async () => {
    await customer.activated();
    await customer.script(page(503), RELEASED);
    const license = customer.license();
    await license.refresh();
    expect(await license.release()).toMatchObject({ state: 'none', reason: null });
    customer.license().install(ISSUER.certificate());
    expect(license.status()).toMatchObject({ state: 'valid', reason: null });
  });

  it('lets the key be activated again', async () => {
    await customer.activated();
    await customer.script(RELEASED, active());
    const license = customer.license();
    await license.release();
    expect(await license.activate(KEY)).toMatchObject({ state: 'valid' });
  });

  it.each([
    [403, 'RELEASE_NOT_ALLOWED'],
    [403, 'RELEASE_LIMIT_REACHED'],
    [409, 'CERTIFICATE_OUTSTANDING'],
    [409, 'SOME_LATER_CODE'],
  ])(
    'that is rejected throws the code of the service, and keeps all: %i %s',
    async (status, code) => {
      await expectKept(rejected(status, code), { code, message: `Message of ${code}` });
    },
  );

  it.each<[string, Reply]>([
    ['revoked', rejected(403, 'LICENSE_REVOKED')],
    ['unknown_key', rejected(404, 'LICENSE_NOT_FOUND')],
    ['request_rejected', page(404)],
    ['no_response', HANG_UP],
    ['server_error', page(503)],
    ['rate_limited', page(429)],
    ['not_the_service', page(200)],
    ['not_the_service', json(200, { success: 'true' })],
  ])('throws %s, and keeps all', async (code, reply) => {
    await expectKept(reply, { code });
  });

  async function expectKept(reply: Reply, error: object): Promise<void> {
    await customer.activated();
    const before = customer.state;
    await customer.script(reply);
    const license = customer.license();
    await expect(license.release()).rejects.toMatchObject({ name: 'LicenseError', ...error });
    expect(customer.state).toEqual(before);
    expect(license.status()).toMatchObject({ state: 'valid', reason: null });
  }

  it('deletes all if the machine has no place any more, as after a response that was lost', async () => {
    await customer.activated();
    await customer.script(rejected(404, 'MACHINE_NOT_FOUND'));
    const license = customer.license();
    const code = 'MACHINE_NOT_FOUND';
    await expect(license.release()).rejects.toMatchObject({ code, message: `Message of ${code}` });
    expect(license.status()).toMatchObject({ state: 'none', reason: null });
    expect(fs.readdirSync(customer.folder)).toEqual([]);
  });

  it('needs a stored key', async () => {
    const service = await customer.script(RELEASED);
    const license = customer.license();
    await expect(license.release()).rejects.toMatchObject({ code: 'LICENSE_KEY_REQUIRED' });
    license.install(ISSUER.certificate());
    await expect(license.release()).rejects.toMatchObject({ code: 'LICENSE_KEY_REQUIRED' });
    expect(license.status()).toMatchObject({ state: 'valid' });
    expect(service.asked).toEqual([]);
  });

  it('leaves another key that was activated meanwhile', async () => {
    const license = await customer.activated();
    const held = new HeldReply(RELEASED);
    await customer.script(held.hold, active({ licenseId: '665f1c2ab7e4a90099999999' }));
    const released = customer.license().release();
    await held.requested;
    await customer.license().activate(OTHER_KEY);
    held.send();
    expect(await released).toMatchObject({ state: 'valid' });
    expect(customer.state.key).toBe(OTHER_KEY);
    expect(license.status()).toMatchObject({ state: 'valid' });
  });

  it('sends nothing if the folder is read-only, because the certificate would stay', async () => {
    await customer.activated();
    const service = await customer.script(RELEASED);
    const license = customer.license();
    fs.chmodSync(customer.stateFile, 0o444);
    fs.chmodSync(customer.folder, 0o555);
    // The unprivileged user must be able to reach the folder.
    fs.chmodSync(path.dirname(customer.folder), 0o755);
    const error = await unprivileged(() => license.release().catch((thrown: unknown) => thrown));
    fs.chmodSync(customer.folder, 0o700);
    expect(error).toMatchObject({ name: 'LicenseError', code: 'folder' });
    expect(service.asked).toEqual([]);
  });
});
