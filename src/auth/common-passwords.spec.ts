import { commonPasswords } from './common-passwords.js';

describe('commonPasswords', () => {
  it('has tens of thousands, all in lower case', async () => {
    const common = await commonPasswords();

    expect(common.size).toBeGreaterThan(40_000);
    expect([...common].filter((password) => password !== password.toLowerCase())).toEqual([]);
  });

  it('is read once', async () => {
    expect(await commonPasswords()).toBe(await commonPasswords());
  });
});
