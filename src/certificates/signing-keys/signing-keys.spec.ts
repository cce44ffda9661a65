import { aSigningKey, someSigningKeys } from '../../../test/builders/signing-keys.builder.js';
import {
  MAX_RETIRED,
  publicPart,
  type PublicKey,
  publishedKeys,
  rotated,
  type SigningKeys,
} from './signing-keys.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
/** 366 days, and the minute that an instance may go on signing with a rotated key. */
const PUBLISHED_FOR = (366 * 24 * 60 + 1) * 60_000;

const shifted = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const publicKey = ({ kid, x }: PublicKey): PublicKey => ({ kid, x });
const aRetiredKey = (retiredAt: Date) => ({ ...publicKey(aSigningKey()), retiredAt });
const retiredKeys = (count: number, retiredAt = NOW) =>
  Array.from({ length: count }, () => aRetiredKey(retiredAt));

describe('rotated keys', () => {
  it('sign with the next key, and keep of the former one only its public part', () => {
    const before = someSigningKeys({ rotations: 4, retired: retiredKeys(1) });
    const fresh = aSigningKey();
    expect(rotated(before, fresh, false, NOW)).toStrictEqual({
      ...before,
      current: before.next,
      next: fresh,
      retired: [...before.retired, { ...publicKey(before.current), retiredAt: NOW }],
      rotations: 5,
      updatedAt: NOW,
    });
  });

  it('do not retire a compromised key, but keep those retired before', () => {
    const before = someSigningKeys({ retired: retiredKeys(2) });
    const after = rotated(before, aSigningKey(), true, NOW)!;
    expect(after.retired).toStrictEqual(before.retired);
    expect(after).toMatchObject({ current: before.next, rotations: 1 });
    expect(JSON.stringify(after)).not.toContain(before.current.kid);
  });

  it('drop retired keys that are not published any more', () => {
    const [over, last] = [shifted(-PUBLISHED_FOR), shifted(1 - PUBLISHED_FOR)].map(aRetiredKey);
    const before = someSigningKeys({ retired: [over!, last!] });
    const after = rotated(before, aSigningKey(), false, NOW)!;
    expect(after.retired.map(({ kid }) => kid)).toStrictEqual([last!.kid, before.current.kid]);
  });

  it(`are rejected beyond ${MAX_RETIRED} retired keys, unless the key is compromised`, () => {
    const rotate = (retired: SigningKeys['retired'], compromised = false) =>
      rotated(someSigningKeys({ retired }), aSigningKey(), compromised, NOW);
    expect(MAX_RETIRED).toBe(24);
    expect(rotate(retiredKeys(23))?.retired).toHaveLength(24);
    expect(rotate(retiredKeys(24))).toBeNull();
    expect(rotate(retiredKeys(24), true)?.retired).toHaveLength(24);
    const overNow = aRetiredKey(shifted(-PUBLISHED_FOR));
    expect(rotate([overNow, ...retiredKeys(23)])?.retired).toHaveLength(24);
  });
});

describe('published keys', () => {
  const publishedAt = (now: Date, keys: SigningKeys) => publishedKeys(keys, now);

  it('are the current key, the next, and retired ones, the last retired first, without private parts', () => {
    const retired = [aRetiredKey(shifted(-3)), aRetiredKey(shifted(-2)), aRetiredKey(shifted(-1))];
    const keys = someSigningKeys({ retired });
    expect(publishedAt(NOW, keys)).toStrictEqual(
      [keys.current, keys.next, retired[2]!, retired[1]!, retired[0]!].map(publicKey),
    );
    expect(keys.retired).toStrictEqual(retired);
  });

  it.each([
    [0, true],
    [366 * 24 * 60 * 60_000, true],
    [PUBLISHED_FOR - 1, true],
    [PUBLISHED_FOR, false],
    [PUBLISHED_FOR + 1, false],
  ])('contain a key %i ms after it was retired: %s', (milliseconds, isPublished) => {
    const keys = someSigningKeys({ retired: [aRetiredKey(NOW)] });
    const published = publishedAt(shifted(milliseconds), keys);
    expect(published).toHaveLength(isPublished ? 3 : 2);
  });

  it('do not contain a compromised key from its rotation on', () => {
    const before = someSigningKeys();
    const fresh = aSigningKey();
    const after = rotated(before, fresh, true, NOW)!;
    expect(publishedAt(NOW, after)).toStrictEqual([before.next, fresh].map(publicKey));
  });
});

it('the public part of signing keys is issuer, current and next', () => {
  const keys = someSigningKeys({ retired: retiredKeys(1) });
  expect(publicPart(keys)).toStrictEqual({
    issuer: keys.issuer,
    current: publicKey(keys.current),
    next: publicKey(keys.next),
  });
});
