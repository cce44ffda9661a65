import { sign } from 'node:crypto';
import { aPrincipal, aSigningKey, someSigningKeys } from '../../test/builders.js';
import { PASSWORD, useServices } from '../../test/services.js';
import type { User } from '../auth/accounts/user.js';
import { newAccountId } from '../shared/ids.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { removeAll } from '../storage/changes.js';
import { KeyPairs } from './signing-keys/key-pairs.service.js';
import {
  MAX_RETIRED,
  type PublicKey,
  publishedKeys,
  rotated,
  SIGNING_KEYS,
  type SigningKeys,
} from './signing-keys/signing-keys.js';
import { SigningKeysService } from './signing-keys/signing-keys.service.js';

const ISSUER = '665f1c2ab7e4a90012345678';
/** Key (RFC 8037, appendix A.1 and A.2), thumbprint (A.3) and signature (A.4). */
const RFC = {
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  input: 'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc',
  signature:
    'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
};
const SEED = Buffer.from(RFC.d, 'base64url');

const newKeyPairs = (fill: number) => new KeyPairs(new DataKeys(Buffer.alloc(96, fill)));
const keyPairs = newKeyPairs(1);

describe('KeyPairs', () => {
  it('signs with a sealed key as in RFC 8037', () => {
    const key = keyPairs.seal(ISSUER, RFC.x, SEED);
    expect(key).toStrictEqual({ kid: RFC.kid, x: RFC.x, sealedSeed: expect.any(String) as string });
    const signature = sign(null, Buffer.from(RFC.input), keyPairs.privateKey(ISSUER, key));
    expect(signature.toString('base64url')).toBe(RFC.signature);
  });

  it('S17: unseals a private key only for its own issuer, kid and deployment', () => {
    const key = keyPairs.seal(ISSUER, RFC.x, SEED);
    const other = keyPairs.generate(ISSUER);
    expect(() => keyPairs.open('775f1c2ab7e4a90012345678', key)).toThrow();
    expect(() => keyPairs.open(ISSUER, { ...key, kid: other.kid })).toThrow();
    expect(() => keyPairs.open(ISSUER, { ...other, sealedSeed: key.sealedSeed })).toThrow();
    expect(() => keyPairs.privateKey(ISSUER, { ...other, sealedSeed: key.sealedSeed })).toThrow();
    expect(() => newKeyPairs(2).open(ISSUER, key)).toThrow();
  });
});

const NOW = new Date('2026-01-31T10:15:00.000Z');
/** 366 days, plus the minute for which an instance may still sign with a rotated key. */
const PUBLISHED_FOR = (366 * 24 * 60 + 1) * 60_000;

const shifted = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const publicKey = ({ kid, x }: PublicKey): PublicKey => ({ kid, x });
const aRetiredKey = (retiredAt: Date) => ({ ...publicKey(aSigningKey()), retiredAt });
const retiredKeys = (count: number) => Array.from({ length: count }, () => aRetiredKey(NOW));

describe('rotated keys', () => {
  it('sign with the next key, and keep only the public part of the previous one', () => {
    const before = someSigningKeys({ rotations: 4, retired: retiredKeys(1) });
    const fresh = aSigningKey();
    expect(rotated(before, fresh, false, NOW)).toStrictEqual({
      ...before,
      current: before.next,
      next: fresh,
      retired: [...before.retired, { ...publicKey(before.current), retiredAt: NOW }],
      rotations: 5,
      isExported: false,
      updatedAt: NOW,
    });
  });

  // The 25th retired key is rejected in test/e2e/certificates/signing-keys.cases.ts.
  it(`can be rotated at ${MAX_RETIRED} retired keys if the key is compromised or one has expired`, () => {
    const rotate = (retired: SigningKeys['retired'], compromised: boolean) =>
      rotated(someSigningKeys({ retired }), aSigningKey(), compromised, NOW)?.retired;
    const published = retiredKeys(MAX_RETIRED);
    expect(rotate(published, true)).toStrictEqual(published);
    const overNow = aRetiredKey(shifted(-PUBLISHED_FOR));
    expect(rotate([overNow, ...published.slice(1)], false)).toHaveLength(MAX_RETIRED);
  });
});

it('are published: current, next, then retired keys, latest first, while a certificate they signed can be valid', () => {
  const retired = [-2, -1, 0].map((time) => aRetiredKey(shifted(time)));
  const keys = someSigningKeys({ retired });
  const all = [keys.current, keys.next, ...retired.toReversed()];
  expect(publishedKeys(keys, NOW)).toEqual(all);
  expect(publishedKeys(keys, shifted(PUBLISHED_FOR - 1))).toEqual(all.slice(0, 3));
  expect(publishedKeys(keys, shifted(PUBLISHED_FOR))).toEqual(all.slice(0, 2));
  expect(keys.retired).toStrictEqual(retired);
});

const services = useServices();
const { store, clock, the, add, addAccount, beforeNextCommit } = services;

describe('SigningKeysService', () => {
  const other = useServices(services);
  let user: User;
  beforeEach(async () => {
    user = await addAccount();
  });

  it('creates the keys of an account on first use, once for 20 concurrent callers', async () => {
    const instances = [the(SigningKeysService), other.the(SigningKeysService)];
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => instances[index % 2]!.get(user.account)),
    );
    expect(all).toStrictEqual(Array(20).fill(await instances[0]!.get(user.account)));
    const times = { createdAt: clock.now(), updatedAt: clock.now() };
    const first = { _id: user.account, issuer: user.account, retired: [], rotations: 0, ...times };
    expect(store.all(SIGNING_KEYS)).toMatchObject([first]);
  });

  it('creates no keys for a deleted account', async () => {
    beforeNextCommit(() => store.commit([removeAll(TOTALS, {})]));
    const keys = the(SigningKeysService);
    const rejected = { code: 'UNAUTHORIZED' };
    await expect(keys.get(user.account)).rejects.toMatchObject(rejected);
    const rotation = { current: 'any', password: PASSWORD };
    await expect(keys.rotate(aPrincipal(user), rotation, '192.0.2.1')).rejects.toMatchObject(
      rejected,
    );
    expect(store.all(SIGNING_KEYS)).toStrictEqual([]);
  });

  it('caches a signer for half a minute after loading, however often it is used, but not for a deleted account', async () => {
    const service = the(SigningKeysService);
    // The keys have another issuer id, as after an import.
    const [issuer, keyPairs] = [newAccountId(), the(KeyPairs)];
    const [current, next] = [keyPairs.generate(issuer), keyPairs.generate(issuer)];
    const keys = await add(SIGNING_KEYS, someSigningKeys({ issuer, current, next }));
    expect(await service.loadSigner(newAccountId())).toBeUndefined();
    expect(service.peekSigner(keys._id)).toBeUndefined();
    const signer = await service.loadSigner(keys._id);
    expect(signer).toMatchObject({ issuer, kid: current.kid });
    for (let second = 0; second < 30; second += 5) {
      expect(service.peekSigner(keys._id)).toBe(signer);
      clock.advance({ seconds: 5 });
    }
    expect(service.peekSigner(keys._id)).toBe(signer);
    clock.advance({ seconds: 0.001 });
    expect(service.peekSigner(keys._id)).toBeUndefined();
    // The clock may be set back.
    await service.loadSigner(keys._id);
    clock.advance({ seconds: -0.001 });
    expect(service.peekSigner(keys._id)).toBeUndefined();
  });
});
