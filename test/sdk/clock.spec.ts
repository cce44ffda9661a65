import fs from 'node:fs';
import { active, Customer, ISSUER, LEASE, lease, validation } from './customer.js';
import { DAY, NOW } from './issuer.js';

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(async () => {
  jest.restoreAllMocks();
  await customer.leave();
});

describe('a certificate that was issued while the clock of the service was ahead', () => {
  const ahead = { issuedAt: NOW + 300 * DAY, licenseEnd: NOW + 400 * DAY };

  it('is replaced by the next one, though it ends later', async () => {
    const license = await customer.activated(ahead);
    expect(license.status()).toMatchObject({ state: 'clock', reason: 'issued_in_future' });
    await customer.script(active());
    expect(await customer.license().refresh()).toMatchObject({ state: 'valid', reason: null });
    expect(customer.state.rememberedTime).toBe(NOW);
  });
});

describe('a lease that was issued while the clock of the service was ahead', () => {
  it('is replaced by the next one as soon as it is ahead by more than its length', async () => {
    const license = await customer.leased({ issuedAt: NOW + LEASE + 1 });
    expect(license.status()).toMatchObject({ state: 'clock', reason: 'issued_in_future' });
    await customer.script(lease());
    expect(await customer.license().heartbeat()).toMatchObject({ state: 'valid', reason: null });
  });
});

describe('a clock that jumps ahead', () => {
  it('beyond the end is not remembered, so that no license is locked out', async () => {
    const license = await customer.activated();
    customer.wait(3650);
    expect(license.status()).toMatchObject({ state: 'expired' });
    customer.wait(-3649);
    expect(license.status()).toMatchObject({ state: 'valid' });
  });

  it('within a long certificate is recovered by a new one, which resets the remembered time', async () => {
    await customer.activated({ issuedAt: NOW - 1, days: 366, licenseEnd: NOW + 400 * DAY });
    customer.wait(200);
    customer.license().status();
    customer.now = NOW;
    await customer.script(active());
    const license = customer.license();
    expect(license.status()).toMatchObject({ state: 'clock', reason: 'clock_set_back' });
    expect(await license.refresh()).toMatchObject({ state: 'valid', reason: null });
    expect(customer.state.rememberedTime).toBe(NOW);
  });

  it('makes a fresh certificate clock, not ended: the clock is wrong', async () => {
    await customer.activated();
    customer.wait(3650);
    await customer.script(active({ issuedAt: NOW + DAY }));
    const license = customer.license();
    expect(await license.refresh()).toEqual({
      state: 'clock',
      until: null,
      services: [],
      entitlements: [],
      reason: 'already_over',
    });
    customer.now = NOW + DAY;
    expect(license.status()).toMatchObject({
      state: 'valid',
      until: new Date((NOW + 8 * DAY) * 1000),
      reason: null,
    });
  });

  it('and is then corrected is trusted again: the certificate ends as usual', async () => {
    customer.wait(30);
    await customer.script(active());
    const license = customer.license();
    await license.activate('a key');
    expect(license.status()).toMatchObject({ state: 'clock', reason: 'already_over' });
    customer.wait(-30);
    expect(license.status()).toMatchObject({ state: 'valid' });
    customer.wait(7);
    expect(license.status()).toMatchObject({ state: 'ended', reason: 'certificate_ended' });
  });
});

describe('the remembered time', () => {
  it.each([-60, 60])('is the time of issue at the activation, %i s from the clock', async (by) => {
    await customer.activated({ issuedAt: NOW + by });
    expect(customer.state.rememberedTime).toBe(NOW + by);
  });

  it('is written once an hour at most', async () => {
    const license = await customer.activated();
    customer.now = NOW + 3599;
    license.status();
    expect(customer.state.rememberedTime).toBe(NOW);
    customer.now = NOW + 3600.5;
    license.status();
    expect(customer.state.rememberedTime).toBe(NOW + 3600);
  });

  it('is not reset by an old certificate that is installed again', async () => {
    const old = ISSUER.certificate({ issuedAt: NOW - DAY, days: 30 });
    await customer.activated();
    customer.wait(6);
    customer.license().status();
    customer.wait(-5);
    expect(customer.license().install(old)).toMatchObject({ state: 'clock' });
    expect(customer.state.rememberedTime).toBe(NOW + 6 * DAY);
  });

  it('is not written for a certificate that another process has replaced meanwhile', async () => {
    const license = await customer.activated();
    customer.wait(1);
    const { readFileSync } = fs;
    jest.spyOn(fs, 'readFileSync').mockImplementationOnce((file, options) => {
      const text = readFileSync(file, options);
      customer.changeState({ certificate: ISSUER.certificate({ days: 30 }) });
      return text;
    });
    expect(license.status()).toMatchObject({ state: 'valid' });
    expect(customer.state.rememberedTime).toBe(NOW);
  });

  it('is not written while the license is rejected', async () => {
    const license = await customer.activated();
    await customer.script(validation('revoked'));
    await customer.license().refresh();
    customer.wait(2);
    expect(license.status()).toMatchObject({ state: 'revoked' });
    expect(customer.state.rememberedTime).toBe(NOW);
  });
});
