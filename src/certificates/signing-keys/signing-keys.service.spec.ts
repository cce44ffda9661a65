import { AccountServices } from '../../../test/account-services.js';
import { anIdempotencyRecord } from '../../../test/builders/idempotency-record.builder.js';
import type { User } from '../../auth/accounts/user.js';
import { IDEMPOTENCY_RECORDS } from '../../shared/idempotency/idempotency-record.js';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { DataKeys } from '../../shared/sealing/data-keys.js';
import { removeAll } from '../../storage/changes.js';
import { Signers } from '../signers.service.js';
import { AccountKeys } from './account-keys.service.js';
import { KeyPairs } from './key-pairs.service.js';
import { MAX_RETIRED, SIGNING_KEYS, type SigningKeys } from './signing-keys.js';
import { SigningKeysService } from './signing-keys.service.js';

const keyPairs = new KeyPairs(new DataKeys(Buffer.alloc(96, 1)));

/** The services of signing keys, as of one instance. */
function keysOn({ store, decisions, clock, securityLog }: AccountServices) {
  const accountKeys = new AccountKeys(store, decisions, keyPairs, clock);
  const signers = new Signers(accountKeys, keyPairs, clock);
  return new SigningKeysService(
    store,
    decisions,
    accountKeys,
    signers,
    keyPairs,
    securityLog,
    clock,
  );
}

describe('SigningKeysService', () => {
  let services: AccountServices;
  let other: AccountServices;
  let keys: SigningKeysService;
  let user: User;
  beforeEach(async () => {
    services = new AccountServices();
    other = services.another();
    keys = keysOn(services);
    user = await services.account();
  });

  const twenty = <T>(call: (instance: SigningKeysService) => Promise<T>) => {
    const instances = [keys, keysOn(other)];
    return Promise.all(Array.from({ length: 20 }, (_, index) => call(instances[index % 2]!)));
  };
  const stored = () => services.store.all(SIGNING_KEYS);
  const codeOf = (error: { code: string }) => error.code;

  it('creates the keys of an account at their first use: the same for each of 20', async () => {
    const all = await twenty((instance) => instance.get(user._id));
    expect(all).toStrictEqual(Array(20).fill(await keys.get(user._id)));
    const [created] = stored() as [SigningKeys];
    const now = services.clock.now();
    const times = { createdAt: now, updatedAt: now };
    const first = { _id: user._id, issuer: user._id, retired: [], rotations: 0, ...times };
    expect(created).toMatchObject(first);
    expect(created.current.kid).not.toBe(created.next.kid);
    for (const key of [created.current, created.next]) {
      expect(keyPairs.open(user._id, key)).toHaveLength(32);
    }
  });

  it('creates none for a deleted account', async () => {
    services.beforeNextCommit(() => services.store.commit([removeAll(TOTALS, {})]));
    const rejected = { code: 'UNAUTHORIZED' };
    await expect(keys.get(user._id)).rejects.toMatchObject(rejected);
    await expect(keys.rotate(user._id, 'any', false)).rejects.toMatchObject(rejected);
    expect(stored()).toStrictEqual([]);
  });

  describe('a rotation', () => {
    const rotate = async () => {
      const { current } = await keys.get(user._id);
      return keys.rotate(user._id, current.kid, false, anIdempotencyRecord());
    };

    it('makes the next key the current one, publishes the former, and logs it', async () => {
      const before = await keys.get(user._id);
      const after = await rotate();
      expect(after.current).toStrictEqual(before.next);
      expect(await keys.get(user._id)).toStrictEqual(after);
      const published = await keys.listPublished(user._id);
      expect(published).toStrictEqual([after.current, after.next, before.current]);
      const event = { account: user._id, compromised: false };
      expect(services.logged).toStrictEqual([['signing_keys_rotated', event]]);
    });

    it('is made by one of 20 that know the same key', async () => {
      const { current } = await keys.get(user._id);
      const outcomes = await twenty((instance) =>
        instance.rotate(user._id, current.kid, false).then(() => 'rotated', codeOf),
      );
      expect(outcomes.toSorted()).toStrictEqual([
        ...Array<string>(19).fill('SIGNING_KEY_NOT_CURRENT'),
        'rotated',
      ]);
      expect(stored()).toMatchObject([{ rotations: 1 }]);
    });

    it('is made and logged once by 20 with one idempotency key, which get the same keys', async () => {
      const idempotency = anIdempotencyRecord({ owner: user._id });
      const { current } = await keys.get(user._id);
      const all = await twenty((instance) =>
        instance.rotate(user._id, current.kid, false, idempotency),
      );
      expect(all).toStrictEqual(Array(20).fill(await keys.get(user._id)));
      expect(stored()).toMatchObject([{ rotations: 1 }]);
      expect([...services.logged, ...other.logged]).toHaveLength(1);
    });

    it('S17: leaves no private key in its idempotency record', async () => {
      await rotate();
      const record = JSON.stringify(services.store.all(IDEMPOTENCY_RECORDS));
      const [{ current, next }] = stored() as [SigningKeys];
      for (const { sealedSeed, x } of [current, next]) {
        expect(record).toContain(x);
        expect(record).not.toContain(sealedSeed);
      }
    });

    it(`is rejected where ${MAX_RETIRED} retired keys are published`, async () => {
      for (let i = 0; i < MAX_RETIRED; i++) await rotate();
      await expect(rotate()).rejects.toMatchObject({ code: 'RETIRED_KEY_QUOTA_REACHED' });
    });
  });

  it('publishes no keys of an unknown issuer', async () => {
    await keys.get(user._id);
    for (const issuer of ['', 'x', user._id.toUpperCase(), '0'.repeat(24)]) {
      expect(await keys.listPublished(issuer)).toStrictEqual([]);
    }
  });
});
