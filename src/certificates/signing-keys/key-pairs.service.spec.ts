import { createPublicKey, sign, verify } from 'node:crypto';
import { DataKeys } from '../../shared/sealing/data-keys.js';
import { KeyPairs, thumbprint } from './key-pairs.service.js';

const ISSUER = '665f1c2ab7e4a90012345678';
/** The key of RFC 8037, appendix A.1 and A.2, its thumbprint of A.3, and its signature of A.4. */
const RFC = {
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  input: 'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc',
  signature:
    'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
};
const SEED = Buffer.from(RFC.d, 'base64url');

const newKeyPairs = (fill = 1) => new KeyPairs(new DataKeys(Buffer.alloc(96, fill)));
const keyPairs = newKeyPairs();

describe('KeyPairs', () => {
  it('names a key by its RFC 7638 thumbprint', () => {
    expect(thumbprint(RFC.x)).toBe(RFC.kid);
  });

  it('signs with a sealed key as RFC 8037 does', () => {
    const { kid, x, sealedSeed } = keyPairs.seal(ISSUER, RFC.x, SEED);
    expect({ kid, x }).toStrictEqual({ kid: RFC.kid, x: RFC.x });
    const privateKey = keyPairs.privateKey(ISSUER, { kid, x, sealedSeed });
    const signature = sign(null, Buffer.from(RFC.input), privateKey);
    expect(signature.toString('base64url')).toBe(RFC.signature);
  });

  it('generates key pairs whose public key verifies what the private one signs', () => {
    const key = keyPairs.generate(ISSUER);
    expect(key.kid).toBe(thumbprint(key.x));
    const text = Buffer.from('text');
    const signature = sign(null, text, keyPairs.privateKey(ISSUER, key));
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.x };
    const publicKey = createPublicKey({ format: 'jwk', key: jwk });
    expect(verify(null, text, publicKey, signature)).toBe(true);
  });

  it('generates another key pair each time', () => {
    const kids = Array.from({ length: 50 }, () => keyPairs.generate(ISSUER).kid);
    expect(new Set(kids).size).toBe(50);
  });

  it('opens what it has sealed, which does not show the private key', () => {
    const key = keyPairs.seal(ISSUER, RFC.x, SEED);
    expect(Object.keys(key).toSorted()).toStrictEqual(['kid', 'sealedSeed', 'x']);
    expect(keyPairs.open(ISSUER, key)).toStrictEqual(SEED);
    for (const encoding of ['base64url', 'base64', 'hex', 'latin1'] as const) {
      expect(JSON.stringify(key)).not.toContain(SEED.toString(encoding));
      const sealed = Buffer.from(key.sealedSeed, 'base64url');
      expect(sealed.toString(encoding)).not.toContain(SEED.toString(encoding));
    }
  });

  it('S17: opens a private key for its issuer and its kid alone, under the data keys of its deployment', () => {
    const key = keyPairs.seal(ISSUER, RFC.x, SEED);
    const other = keyPairs.generate(ISSUER);
    expect(() => keyPairs.open('775f1c2ab7e4a90012345678', key)).toThrow();
    expect(() => keyPairs.open(ISSUER, { ...key, kid: other.kid })).toThrow();
    expect(() => keyPairs.open(ISSUER, { ...other, sealedSeed: key.sealedSeed })).toThrow();
    expect(() => keyPairs.privateKey(ISSUER, { ...other, sealedSeed: key.sealedSeed })).toThrow();
    expect(() => newKeyPairs(2).open(ISSUER, key)).toThrow();
  });
});
