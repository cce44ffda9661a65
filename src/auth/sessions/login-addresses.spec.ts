import { AccountServices } from '../../../test/account-services.js';
import type { User } from '../accounts/user.js';
import { LOGIN_ADDRESSES, MAX_LOGIN_ADDRESSES } from './session.js';

describe('the addresses of logins', () => {
  let services: AccountServices;
  let user: User;
  beforeEach(async () => {
    services = new AccountServices();
    user = await services.account();
  });

  const isKnown = (address: string) => services.addresses.isKnown(user.email, address);
  const logIn = async (address: string) => {
    services.clock.advance({ seconds: 1 });
    await services.logIn(user, address);
  };

  it('are known after a login, and no others', async () => {
    expect(await isKnown('one')).toBe(false);
    await logIn('one');
    await logIn('one');
    expect(await isKnown('one')).toBe(true);
    expect(await isKnown('another')).toBe(false);
    expect(await services.addresses.isKnown('bob@studio.example', 'one')).toBe(false);
  });

  it('are stored as keyed hashes', async () => {
    await logIn('192.0.2.7');
    const stored = JSON.stringify(services.store.all(LOGIN_ADDRESSES));
    expect(stored).not.toContain('192.0.2.7');
    expect(stored).not.toContain(user.email);
  });

  it('outlive the session', async () => {
    await logIn('one');
    await services.accounts.disable(user.email);
    expect(await isKnown('one')).toBe(true);
  });

  it(`are the ${MAX_LOGIN_ADDRESSES} that an account has used last`, async () => {
    const other = await services.account();
    await services.logIn(other, 'of another account');
    for (let i = 0; i < MAX_LOGIN_ADDRESSES; i++) await logIn(`number ${i}`);
    await logIn('number 0');
    await logIn('one more');
    expect(await isKnown('number 1')).toBe(false);
    for (const known of ['number 0', 'number 2', 'one more']) {
      expect(await isKnown(known)).toBe(true);
    }
    expect(services.store.all(LOGIN_ADDRESSES)).toHaveLength(MAX_LOGIN_ADDRESSES + 1);
  });

  it('are all known after logins on two instances at the same time', async () => {
    const instances = [services, services.another()];
    const addresses = Array.from({ length: MAX_LOGIN_ADDRESSES / 2 }, (_, i) => `number ${i}`);
    await Promise.all(addresses.map((address, i) => instances[i % 2]!.logIn(user, address)));
    expect(await Promise.all(addresses.map(isKnown))).toStrictEqual(addresses.map(() => true));
  });
});
