import { LicenseError } from '../../sdk/node/src/license-error.js';
import { json } from './scripted-service.js';
import {
  activated,
  Customer,
  ISSUER,
  KEY,
  lease,
  leased,
  mismatch,
  rejected,
  validation,
} from './customer.js';
import { FINGERPRINT, PRODUCT } from './issuer.js';

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(() => customer.leave());

const BOTH = ['/validate', '/validate/activate'];
const FREE = { used: 2, max: 3 };

describe('activate on another machine of a license with several', () => {
  it('takes a free place', async () => {
    const service = await customer.script(mismatch(FREE), activated());
    expect(await customer.license().activate(KEY)).toMatchObject({ state: 'valid' });
    expect(service.paths).toEqual(BOTH);
  });

  it('throws MACHINE_LIMIT_REACHED without an activation if all places are taken', async () => {
    const service = await customer.script(mismatch({ used: 3, max: 3 }), activated());
    await expect(customer.license().activate(KEY)).rejects.toMatchObject({
      name: 'LicenseError',
      code: 'MACHINE_LIMIT_REACHED',
      message: 'All machines that the license allows are in use: release one of them.',
    });
    expect(service.paths).toEqual(['/validate']);
  });

  it.each([
    undefined,
    null,
    3,
    [],
    {},
    { used: 0 },
    { max: 3 },
    { used: '0', max: '3' },
    { used: -1, max: 3 },
    { used: 0.5, max: 3 },
    { used: false, max: true },
  ])('throws other_machine without an activation if machines is %j', async (machines) => {
    const service = await customer.script(mismatch(machines), activated());
    const activation = customer.license().activate(KEY);
    await expect(activation).rejects.toMatchObject({ code: 'other_machine' });
    expect(service.paths).toEqual(['/validate']);
  });

  it.each([
    [403, 'MACHINE_LIMIT_REACHED'],
    [403, 'TRIAL_USED'],
    [403, 'LICENSE_SUSPENDED'],
  ])('throws the code and message of the service if it rejects: %i %s', async (status, code) => {
    await customer.script(mismatch(FREE), rejected(status, code));
    const error: unknown = await customer
      .license()
      .activate(KEY)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LicenseError);
    expect(error).toMatchObject({ code, message: `Message of ${code}` });
    expect(customer.license().status()).toMatchObject({ state: 'none' });
  });
});

describe('activate on a machine with a lease', () => {
  it('takes a place again once the lease has ended', async () => {
    const service = await customer.script(validation('lease_ended'), lease());
    expect(await customer.license().activate(KEY)).toMatchObject({ state: 'valid' });
    expect(service.paths).toEqual(BOTH);
  });

  it('gets its certificate by a heartbeat while the lease lasts: a validation signs nothing', async () => {
    const service = await customer.script(leased(), lease());
    expect(await customer.license().activate(KEY)).toMatchObject({ state: 'valid' });
    expect(service.paths).toEqual(['/validate', '/validate/heartbeat']);
    expect(customer.state.key).toBe(KEY);
  });

  it('uses the certificate of a validation that has one', async () => {
    const certificate = ISSUER.certificate();
    const reply = json(200, { status: 'active', leaseEndsAt: 'tomorrow', certificate });
    const service = await customer.script(reply);
    expect(await customer.license().activate(KEY)).toMatchObject({ state: 'valid' });
    expect(service.paths).toEqual(['/validate']);
  });

  it.each([null, 1, true, {}])('is no_certificate if leaseEndsAt is %j', async (leaseEndsAt) => {
    const service = await customer.script(json(200, { status: 'active', leaseEndsAt }));
    const activation = customer.license().activate(KEY);
    await expect(activation).rejects.toMatchObject({ code: 'no_certificate' });
    expect(service.paths).toEqual(['/validate']);
  });
});

describe('the name of the machine', () => {
  const machineName = 'Anna’s laptop 💻';
  const body = { key: KEY, fingerprint: FINGERPRINT, product: PRODUCT, certificate: true };

  it('is sent with an activation, and not with a validation', async () => {
    const service = await customer.script(validation('pending'), activated());
    await customer.license({ machineName }).activate(KEY);
    expect(service.asked.map((request) => request.body)).toEqual([body, { ...body, machineName }]);
  });

  it('is sent with a heartbeat', async () => {
    const service = await customer.script(leased(), lease());
    await customer.license({ machineName }).activate(KEY);
    expect(service.asked[1]!.body).toEqual({ ...body, machineName });
  });
});

describe('refresh takes no place, which would undo a release by the vendor', () => {
  it.each([
    ['machine_mismatch', 'other_machine', mismatch(FREE)],
    ['lease_ended', 'lease_ended', validation('lease_ended')],
  ])('at %s', async (_status, state, reply) => {
    await customer.activated();
    const service = await customer.script(reply, activated());
    expect(await customer.license().refresh()).toMatchObject({ state, reason: 'rejected' });
    expect(service.paths).toEqual(['/validate']);
  });
});
