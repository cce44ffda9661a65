import crypto from 'node:crypto';

/** Derives keys from passphrases at no cost during the tests of the calling block: scrypt takes 0.4 s per key. */
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
