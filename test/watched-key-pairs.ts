import { KeyPairs } from '../src/certificates/signing-keys/key-pairs.service.js';
import type { SigningKey } from '../src/certificates/signing-keys/signing-keys.js';
import { DataKeys } from '../src/shared/sealing/data-keys.js';
import type { SecretWatch } from './secret-watch.js';

/** The service's key pairs, with private keys that a test watches (S17). */
class WatchedKeyPairs extends KeyPairs {
  constructor(
    dataKeys: DataKeys,
    private readonly secrets: SecretWatch,
  ) {
    super(dataKeys);
  }

  override seal(issuer: string, x: string, seed: Buffer): SigningKey {
    const key = super.seal(issuer, x, seed);
    this.secrets.addPrivateKey(seed, key.sealedSeed);
    return key;
  }

  override open(issuer: string, key: SigningKey): Buffer {
    const seed = super.open(issuer, key);
    this.secrets.addPrivateKey(seed, key.sealedSeed);
    return seed;
  }
}

/** The provider of watched key pairs. */
export const watchedKeyPairs = (secrets: SecretWatch) => ({
  inject: [DataKeys],
  factory: (dataKeys: DataKeys) => new WatchedKeyPairs(dataKeys, secrets),
});
