import {
  publicPart,
  rotated,
  type SigningKeys,
} from '../../../src/certificates/signing-keys/signing-keys.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aSigningKey, someSigningKeys } from '../../builders/signing-keys.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { engines } from '../engines.js';
import { twenty } from '../race.js';
import { useStore } from '../use-store.js';

describe.each(engines)('signing keys on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  /** Keys as they are after rotations, with an issuer that is not the account's id. */
  const rotatedKeys = (fields: Partial<SigningKeys> = {}) =>
    someSigningKeys({
      issuer: newObjectId(),
      retired: [
        { kid: 'kid 1', x: 'x 1', retiredAt: at(1) },
        { kid: 'kid 2', x: 'x 2', retiredAt: at(2) },
      ],
      rotations: 3,
      updatedAt: at(2),
      ...fields,
    });
  const after = (keys: SigningKeys) => rotated(keys, aSigningKey(), false, at(5))!;
  const rotate = (read: string, keys: SigningKeys) => store.signingKeys.rotate(read, keys);

  /** Expects that these are the keys of their account, and found by their issuer. */
  const expectStored = async (keys: SigningKeys) => {
    expect(await store.signingKeys.find(keys._id)).toStrictEqual(keys);
    expect(await store.signingKeys.findByIssuer(keys.issuer)).toStrictEqual(keys);
  };

  it('are found by their account and by their issuer as they were stored', async () => {
    for (const keys of [await stored.signingKeys(), await stored.signingKeys(rotatedKeys())]) {
      await expectStored(keys);
    }
  });

  it('are not found for another account or issuer', async () => {
    const { _id, issuer } = await stored.signingKeys(rotatedKeys());
    expect(await store.signingKeys.find(newAccountId())).toBeNull();
    expect(await store.signingKeys.findByIssuer(_id)).toBeNull();
    expect(await store.signingKeys.findByIssuer(issuer.toUpperCase())).toBeNull();
    expect(await store.signingKeys.findByIssuer('')).toBeNull();
  });

  describe('at their first use', () => {
    it('are stored once, and returned to later callers', async () => {
      const keys = await stored.signingKeys();
      const { _id } = keys;
      expect(await store.signingKeys.keepFirst(someSigningKeys({ _id }))).toStrictEqual(keys);
      const current = after(keys);
      await rotate(keys.current.kid, current);
      expect(await store.signingKeys.keepFirst(keys)).toStrictEqual(current);
      await expectStored(current);
    });

    it('are the same for each of 20 at the same time', async () => {
      const _id = newAccountId();
      const offered = Array.from({ length: 20 }, () => someSigningKeys({ _id }));
      const kept = await twenty((index) => store.signingKeys.keepFirst(offered[index]!));
      const first = (await store.signingKeys.find(_id))!;
      expect(kept).toStrictEqual(Array(20).fill(first));
      expect(offered).toContainEqual(first);
    });

    it('are those of each account', async () => {
      const before = await store.count('signing_keys');
      const keys = await twenty(() => stored.signingKeys());
      for (const each of keys) await expectStored(each);
      expect(await store.count('signing_keys')).toBe(before + 20);
    });
  });

  describe('after a rotation', () => {
    it('are the new ones, of the same issuer, and no others change', async () => {
      const [keys, others] = [await stored.signingKeys(rotatedKeys()), await stored.signingKeys()];
      const current = after(keys);
      expect(await rotate(keys.current.kid, current)).toStrictEqual(publicPart(current));
      await expectStored(current);
      await expectStored(others);
    });

    it('are unchanged where another key is current than the one that was read', async () => {
      const keys = await stored.signingKeys();
      const others = await stored.signingKeys();
      for (const kid of [keys.next.kid, others.current.kid, 'unknown']) {
        expect(await rotate(kid, after(keys))).toBeNull();
        await expectStored(keys);
      }
      const current = after(keys);
      await rotate(keys.current.kid, current);
      expect(await rotate(keys.current.kid, after(keys))).toBeNull();
      expect(await rotate(keys.current.kid, after(current))).toBeNull();
      await expectStored(current);
      await expectStored(others);
    });

    it('are not created for an account that has none', async () => {
      const keys = someSigningKeys();
      expect(await rotate(keys.current.kid, after(keys))).toBeNull();
      expect(await store.signingKeys.find(keys._id)).toBeNull();
    });

    it('are those of one of 20 rotations of the same key', async () => {
      const keys = await stored.signingKeys();
      const rivals = Array.from({ length: 20 }, () => after(keys));
      const outcomes = await twenty((index) => rotate(keys.current.kid, rivals[index]!));
      const winners = rivals.filter((_, index) => outcomes[index] !== null);
      expect(winners).toHaveLength(1);
      await expectStored(winners[0]!);
      expect(outcomes.filter(Boolean)).toStrictEqual([publicPart(winners[0]!)]);
    });

    it('S17: leave no private key in their idempotency record', async () => {
      const keys = await stored.signingKeys();
      const current = after(keys);
      const idempotency = anIdempotencyRecord();
      await store.signingKeys.rotate(keys.current.kid, current, idempotency);
      const kept = JSON.stringify(await store.idempotency.find(idempotency._id, at(0)));
      for (const { sealedSeed } of [keys.current, keys.next, current.next]) {
        expect(kept).not.toContain(sealedSeed);
      }
    });
  });

  describe('that are imported', () => {
    const imported = (keys: SigningKeys) => store.signingKeys.import(keys);

    it('are the first of an account', async () => {
      const keys = rotatedKeys();
      expect(await imported(keys)).toBe('imported');
      await expectStored(keys);
      expect(await store.signingKeys.keepFirst(someSigningKeys({ _id: keys._id }))).toStrictEqual(
        keys,
      );
    });

    it.each([0, 1])('replace those that had %i rotations less, every field', async (more) => {
      const others = await stored.signingKeys();
      const before = await stored.signingKeys(rotatedKeys());
      const keys = rotatedKeys({
        _id: before._id,
        retired: [],
        rotations: before.rotations + more,
        createdAt: at(7),
        updatedAt: at(8),
      });
      expect(await imported(keys)).toBe('imported');
      await expectStored(keys);
      expect(await store.signingKeys.findByIssuer(before.issuer)).toBeNull();
      await expectStored(others);
      const current = after(keys);
      expect(await rotate(before.current.kid, after(before))).toBeNull();
      expect(await rotate(keys.current.kid, current)).toStrictEqual(publicPart(current));
      await expectStored(current);
    });

    it('are the stored ones again', async () => {
      const keys = await stored.signingKeys(rotatedKeys());
      expect(await imported(keys)).toBe('imported');
      await expectStored(keys);
    });

    it('are rejected where the account has rotated more often since', async () => {
      const keys = await stored.signingKeys();
      const current = after(keys);
      await rotate(keys.current.kid, current);
      expect(await imported(keys)).toBe('rotated_since');
      const { _id } = keys;
      expect(await imported(someSigningKeys({ _id, issuer: newObjectId() }))).toBe('rotated_since');
      await expectStored(current);
    });

    it('are rejected where another account has their issuer', async () => {
      const holder = await stored.signingKeys(rotatedKeys());
      const { issuer } = holder;
      expect(await imported(rotatedKeys({ issuer, rotations: 9 }))).toBe('issuer_taken');
      const keys = await stored.signingKeys();
      expect(await imported({ ...keys, issuer, rotations: 9 })).toBe('issuer_taken');
      await expectStored(holder);
      await expectStored(keys);
    });

    it('have no issuer that is the id of another account, though it has no keys yet', async () => {
      const owner = aUser();
      await store.users.create(owner);
      const keys = someSigningKeys({ issuer: owner._id });
      expect(await imported(keys)).toBe('issuer_taken');
      expect(await store.signingKeys.find(keys._id)).toBeNull();
      expect(await imported(someSigningKeys({ _id: owner._id, issuer: owner._id }))).toBe(
        'imported',
      );
    });

    it('are those with the most rotations of 20 imports at the same time', async () => {
      const { _id } = await stored.signingKeys();
      const rivals = Array.from({ length: 20 }, (_, index) =>
        rotatedKeys({ _id, rotations: (index * 7) % 20 }),
      );
      const outcomes = await twenty((index) => imported(rivals[index]!));
      expect(['imported', 'rotated_since']).toEqual(expect.arrayContaining(outcomes));
      await expectStored(rivals.find(({ rotations }) => rotations === 19)!);
    });

    it('are those of one of 20 accounts that import the same issuer at the same time', async () => {
      const issuer = newObjectId();
      const rivals = Array.from({ length: 20 }, () => rotatedKeys({ issuer }));
      const outcomes = await twenty((index) => imported(rivals[index]!));
      expect(outcomes.toSorted()).toStrictEqual([
        'imported',
        ...Array<string>(19).fill('issuer_taken'),
      ]);
      await expectStored(rivals[outcomes.indexOf('imported')]!);
    });
  });

  describe('of a deleted account', () => {
    it('are deleted, and those of other accounts are not', async () => {
      const [keys, others] = [await stored.signingKeys(rotatedKeys()), await stored.signingKeys()];
      expect(await store.accountDeletion.deleteEmpty(keys._id, at(9))).toBe('deleted');
      expect(await store.signingKeys.find(keys._id)).toBeNull();
      expect(await store.signingKeys.findByIssuer(keys.issuer)).toBeNull();
      await expectStored(others);
      const heir = rotatedKeys({ issuer: keys.issuer });
      expect(await store.signingKeys.import(heir)).toBe('imported');
    });

    it('can be neither created, rotated nor imported', async () => {
      const keys = await stored.signingKeys();
      await store.accountDeletion.deleteEmpty(keys._id, at(9));
      const never = someSigningKeys();
      await store.accountDeletion.deleteEmpty(never._id, at(9));
      const before = await stored.counts();
      for (const gone of [keys, never]) {
        expect(await store.signingKeys.keepFirst(gone)).toBe('account_deleted');
        expect(await rotate(gone.current.kid, after(gone))).toBeNull();
        expect(await store.signingKeys.import(after(gone))).toBe('account_deleted');
      }
      expect(await stored.counts()).toStrictEqual(before);
    });

    it('are left nowhere where they are created, rotated and imported at the same time', async () => {
      for (let round = 0; round < 8; round++) {
        const keys = someSigningKeys();
        if (round % 2) await store.signingKeys.keepFirst(keys);
        const { _id } = keys;
        const calls: ((index: number) => Promise<unknown>)[] = [
          () => store.signingKeys.keepFirst(someSigningKeys({ _id })),
          () => rotate(keys.current.kid, after(keys)),
          (index) => store.signingKeys.import(rotatedKeys({ _id, rotations: index })),
        ];
        await twenty<unknown>((index) =>
          index === round * 2
            ? store.accountDeletion.deleteEmpty(_id, at(9))
            : calls[index % 3]!(index),
        );
        expect(await store.signingKeys.find(_id)).toBeNull();
      }
    });
  });
});
