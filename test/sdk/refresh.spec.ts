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

  it('never shortens a certificate: the one with the later exp is kept', async () => {
    await customer.activated({ days: 366, licenseEnd: NOW + 400 * DAY });
    customer.wait(1);
    await customer.script(active({ issuedAt: customer.now }));
    expect((await customer.license().refresh()).until).toEqual(until(NOW + 366 * DAY));
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

  it('sends nothing if nothing was activated', async () => {
    const service = await customer.script(active());
    expect(await customer.license().refresh()).toMatchObject({ state: 'none', reason: null });
    expect(service.asked).toEqual([]);
  });
});

describe('a rejection by the service', () => {
  const REJECTIONS = [
    ['revoked', 'revoked'],
    ['expired', 'expired'],
    ['machine_mismatch', 'other_machine'],
  ] as const;

  it.each(REJECTIONS)('%s ends the license, in later processes too', async (status, state) => {
    const license = await customer.activated();
    await customer.script(validation(status));
    const rejected = { state, until: null, services: [], reason: 'rejected' };
    expect(await customer.license().refresh()).toEqual(rejected);
    expect(license.status()).toEqual(rejected);
  });

  it.each(REJECTIONS)('%s deletes neither key nor certificate', async (status, rejection) => {
    await customer.activated();
    const before = customer.state;
    await customer.script(validation(status));
    await customer.license().refresh();
    expect(customer.state).toEqual({ ...before, rejection });
  });

  it.each(REJECTIONS)('%s is cleared by the next good certificate', async (status) => {
    await customer.activated();
    await customer.script(validation(status), active());
    const license = customer.license();
    await license.refresh();
    expect(await license.refresh()).toMatchObject({ state: 'valid', reason: null });
  });

  it('is cleared by a certificate that is shorter than the stored one', async () => {
    await customer.activated({ days: 30 });
    await customer.script(validation('revoked'), active());
    const license = customer.license();
    await license.refresh();
    expect(await license.refresh()).toMatchObject({ state: 'valid', until: until(NOW + 30 * DAY) });
  });

  it('persists while the service is unavailable', async () => {
    await customer.activated();
    await customer.script(validation('revoked'), page(503));
    const license = customer.license();
    await license.refresh();
    expect(await license.refresh()).toMatchObject({ state: 'revoked', reason: 'server_error' });
  });

  it.each([
    json(403, { code: 'LICENSE_REVOKED' }),
    json(403, { code: 'LICENSE_EXPIRED' }),
    json(403, { code: 'LICENSE_ON_ANOTHER_MACHINE' }),
  ])('of an activation ends no license: the next validation decides', async (rejection) => {
    await customer.activated();
    await customer.script(validation('pending'), rejection);
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
    ['that is cut off', ISSUER.certificate().slice(0, -1)],
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

  it('keeps the later certificate, which another process has stored first', async () => {
    await customer.activated();
    customer.wait(1);
    const held = new HeldReply(active({ issuedAt: customer.now - 60 }));
    await customer.script(held.hold, active({ issuedAt: customer.now }));
    const refreshed = customer.license().refresh();
    await held.requested;
    await customer.license().refresh();
    held.send();
    expect((await refreshed).until).toEqual(until(customer.now + 7 * DAY));
  });
});
