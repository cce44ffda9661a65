import { someSigningKeys } from '../../test/builders.js';
import { useServices } from '../../test/services.js';
import type { User } from '../auth/accounts/user.js';
import { SigningKeysService } from '../certificates/signing-keys/signing-keys.service.js';
import { SIGNING_KEYS, type SigningKeys } from '../certificates/signing-keys/signing-keys.js';
import { newObjectId } from '../shared/ids.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { insert, removeAll, replace } from '../storage/changes.js';
import { importSigningKeys, markExported } from './signing-keys.js';

const ISSUER = newObjectId();

describe('importSigningKeys', () => {
  const { store, the, put, addAccount, beforeNextCommit } = useServices();
  let user: User;
  beforeEach(async () => {
    user = await addAccount();
  });

  const keysOf = ({ account: _id }: User, fields: Partial<SigningKeys> = {}) =>
    someSigningKeys({ _id, issuer: ISSUER, rotations: 3, ...fields });
  const give = (keys: SigningKeys) => put(insert(SIGNING_KEYS, keys));
  const stored = () => store.all(SIGNING_KEYS);
  const load = (keys: SigningKeys, force = false) => importSigningKeys(keys, force, { get: the });

  const version = expect.any(Number) as number;

  it.each([3, 2])('replaces keys of the same issuer after %i rotations', async (rotations) => {
    await give(keysOf(user, { rotations }));
    const keys = keysOf(user);
    await load(keys);
    expect(stored()).toStrictEqual([{ ...keys, version }]);
  });

  it('keeps keys rotated since the export, even during the import', async () => {
    await give(keysOf(user));
    beforeNextCommit(() => load(keysOf(user, { rotations: 4 })));
    await expect(load(keysOf(user))).rejects.toThrow(
      'The account has rotated its keys since the file was exported (rotation count 3). Import a newer export, or undo the rotations with --force.',
    );
    expect(stored()).toMatchObject([{ rotations: 4 }]);
  });

  it('replaces keys of another issuer if forced, without lowering the rotation count', async () => {
    const others = someSigningKeys({ _id: user.account, rotations: 7 });
    await give(others);
    await expect(load(keysOf(user))).rejects.toThrow(
      `The account has the keys of issuer ${user.account}, but the file contains the keys of ${ISSUER}.`,
    );
    expect(stored()).toStrictEqual([{ ...others, version }]);
    await load(keysOf(user), true);
    expect(stored()).toMatchObject([{ issuer: ISSUER, rotations: 7 }]);
  });

  it('never takes over the issuer of another account, by id or by keys, even during the import', async () => {
    const other = await addAccount();
    await expect(load(keysOf(user, { issuer: other.account }))).rejects.toThrow(
      `Another account has the keys of issuer ${other.account}.`,
    );
    const taken = `Another account has the keys of issuer ${ISSUER}.`;
    const others = keysOf(other);
    beforeNextCommit(() => load(others));
    await expect(load(keysOf(user))).rejects.toThrow(taken);
    await expect(load(keysOf(user))).rejects.toThrow(taken);
    expect(stored()).toStrictEqual([{ ...others, version }]);
  });

  it('keys count as exported only after an export, unless they were rotated during it', async () => {
    await the(SigningKeysService).findOrCreate(user.account);
    const [keys] = stored();
    expect(keys).toMatchObject({ isExported: false });
    await markExported(keys!, { get: the });
    expect(stored()).toMatchObject([{ isExported: true }]);
    const [exported] = stored();
    await put(replace(SIGNING_KEYS, exported!, { ...exported!, isExported: false }));
    await markExported(exported!, { get: the });
    expect(stored()).toMatchObject([{ isExported: false }]);
  });

  it('imports nothing into an account deleted during the import', async () => {
    beforeNextCommit(() => store.commit([removeAll(TOTALS, { _id: user.account })]));
    await expect(load(keysOf(user))).rejects.toThrow('The account was deleted in the meantime.');
    expect(stored()).toStrictEqual([]);
  });
});
