import { AccountServices } from '../../test/account-services.js';
import { someSigningKeys } from '../../test/builders/signing-keys.builder.js';
import type { User } from '../auth/accounts/user.js';
import { SIGNING_KEYS, type SigningKeys } from '../certificates/signing-keys/signing-keys.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { insert, removeAll } from '../storage/changes.js';
import { importSigningKeys } from './import-signing-keys.js';

const ISSUER = newObjectId();
const TAKEN = `Another account has the keys of issuer ${ISSUER}.`;

describe('importSigningKeys', () => {
  let services: AccountServices;
  let user: User;
  beforeEach(async () => {
    services = new AccountServices();
    user = await services.account();
  });

  const keysOf = ({ _id }: User, fields: Partial<SigningKeys> = {}) =>
    someSigningKeys({ _id, issuer: ISSUER, rotations: 3, ...fields });
  const store = (keys: SigningKeys) => services.store.commit([insert(SIGNING_KEYS, keys)]);
  const stored = () => services.store.all(SIGNING_KEYS);
  const load = (keys: SigningKeys, replaces = false, instance = services) =>
    importSigningKeys(keys, replaces, instance.store, instance.decisions);

  const version = expect.any(Number) as number;

  it('gives an account its first keys', async () => {
    const keys = keysOf(user);
    expect(await load(keys)).toStrictEqual(keys);
    expect(stored()).toStrictEqual([{ ...keys, version }]);
  });

  it.each([3, 2])('replaces keys of the same issuer after %i rotations', async (rotations) => {
    await store(keysOf(user, { rotations }));
    const keys = keysOf(user);
    await load(keys);
    expect(stored()).toStrictEqual([{ ...keys, version }]);
  });

  it('keeps keys that the account has rotated since, also meanwhile', async () => {
    await store(keysOf(user));
    services.beforeNextCommit(() => load(keysOf(user, { rotations: 4 })));
    await expect(load(keysOf(user))).rejects.toThrow(
      'The account has rotated its keys since the file was exported (rotation count 3): import a later export.',
    );
    expect(stored()).toMatchObject([{ rotations: 4 }]);
  });

  it('replaces keys of another issuer where it is told to, and does not lower their rotations', async () => {
    const others = someSigningKeys({ _id: user._id, rotations: 7 });
    await store(others);
    await expect(load(keysOf(user))).rejects.toThrow(
      `The account has the keys of issuer ${user._id}, and the file those of ${ISSUER}.`,
    );
    expect(stored()).toStrictEqual([{ ...others, version }]);
    expect(await load(keysOf(user), true)).toMatchObject({ issuer: ISSUER, rotations: 7 });
    expect(await load(others, true)).toMatchObject({ issuer: user._id, rotations: 7 });
  });

  it('takes the issuer of no other account, whether that has its keys or its id', async () => {
    await store(keysOf(await services.account()));
    await expect(load(keysOf(user))).rejects.toThrow(TAKEN);
    const namesake = await services.account();
    await expect(load(keysOf(user, { issuer: namesake._id }))).rejects.toThrow(
      `Another account has the keys of issuer ${namesake._id}.`,
    );
    expect(stored()).toHaveLength(1);
  });

  it('succeeds for one of two accounts that import the same issuer at the same time', async () => {
    const other = keysOf(await services.account());
    services.beforeNextCommit(() => load(other));
    await expect(load(keysOf(user))).rejects.toThrow(TAKEN);
    expect(stored()).toStrictEqual([{ ...other, version }]);
  });

  it('gives none to an account that is deleted meanwhile', async () => {
    services.beforeNextCommit(() => services.store.commit([removeAll(TOTALS, { _id: user._id })]));
    await expect(load(keysOf(user))).rejects.toThrow('The account has been deleted meanwhile.');
    expect(stored()).toStrictEqual([]);
  });
});
