import crypto from 'node:crypto';

/** Derives keys from passphrases at no cost while the tests of the calling block run: scrypt takes 0.4 s a key. */
export function useCheapScrypt(): void {
  const { scryptSync } = crypto;
  beforeAll(() => {
    jest
      .spyOn(crypto, 'scryptSync')
      .mockImplementation((passphrase, salt, length) =>
        scryptSync(passphrase, salt, length, { N: 2 }),
      );
  });
  afterAll(() => jest.restoreAllMocks());
}
