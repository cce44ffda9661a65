import { createPublicKey } from 'node:crypto';
import { someSigningKeys } from '../../test/builders/signing-keys.builder.js';
import { FakeClock } from '../../test/fake-clock.js';
import { type AccountId, newAccountId } from '../shared/ids/account-id.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { Signers } from './signers.service.js';
import { AccountKeys } from './signing-keys/account-keys.service.js';
import { KeyPairs } from './signing-keys/key-pairs.service.js';
import type { SigningKeys } from './signing-keys/signing-keys.js';
import type { SigningKeysRepository } from './signing-keys/signing-keys.repository.js';

const CACHED = 5_000;

describe('Signers', () => {
  const keyPairs = new KeyPairs(new DataKeys(Buffer.alloc(96, 1)));
  const clock = new FakeClock();
  const find = jest.fn<Promise<SigningKeys | null>, [AccountId]>();
  const keepFirst = jest.fn<Promise<SigningKeys | 'account_deleted'>, [SigningKeys]>();
  const repository = { find, keepFirst } as unknown as SigningKeysRepository;
  let signers: Signers;

  /** Signing keys of an account, whose issuer is another id, as after an import. */
  const stored = (_id = newAccountId()): SigningKeys => {
    const issuer = newAccountId();
    const [current, next] = [keyPairs.generate(issuer), keyPairs.generate(issuer)];
    return someSigningKeys({ _id, issuer, current, next });
  };

  beforeEach(() => {
    find.mockReset();
    keepFirst.mockReset();
    signers = new Signers(new AccountKeys(repository, keyPairs, clock), keyPairs, clock);
  });

  it('load the issuer and the current key of an account', async () => {
    const keys = stored();
    find.mockResolvedValue(keys);
    const { issuer, kid, privateKey } = (await signers.load(keys._id))!;
    expect({ issuer, kid }).toStrictEqual({ issuer: keys.issuer, kid: keys.current.kid });
    expect(createPublicKey(privateKey).export({ format: 'jwk' }).x).toBe(keys.current.x);
    expect(find.mock.calls).toStrictEqual([[keys._id]]);
    expect(keepFirst).not.toHaveBeenCalled();
  });

  it('create the first keys of an account, and use those that were stored first', async () => {
    const account = newAccountId();
    const winner = stored(account);
    find.mockResolvedValue(null);
    keepFirst.mockResolvedValue(winner);
    expect(await signers.load(account)).toMatchObject({ kid: winner.current.kid });
    const [[offered]] = keepFirst.mock.calls as [[SigningKeys]];
    const now = clock.now();
    const times = { createdAt: now, updatedAt: now };
    expect(offered).toMatchObject({ _id: account, issuer: account, retired: [], ...times });
    expect(offered.rotations).toBe(0);
    expect(offered.current.kid).not.toBe(offered.next.kid);
    for (const key of [offered.current, offered.next]) {
      expect(keyPairs.open(account, key)).toHaveLength(32);
    }
  });

  it('are those of no deleted account', async () => {
    find.mockResolvedValue(null);
    keepFirst.mockResolvedValue('account_deleted');
    const account = newAccountId();
    expect(await signers.load(account)).toBeUndefined();
    expect(signers.atHand(account)).toBeUndefined();
  });

  it('are at hand for half a minute after they were loaded, by the clock', async () => {
    const keys = stored();
    find.mockResolvedValue(keys);
    expect(signers.atHand(keys._id)).toBeUndefined();
    const signer = await signers.load(keys._id);
    expect(signers.atHand(keys._id)).toBe(signer);
    clock.advance({ seconds: 30 });
    expect(signers.atHand(keys._id)).toBe(signer);
    clock.advance({ seconds: 0.001 });
    expect(signers.atHand(keys._id)).toBeUndefined();
  });

  it('are loaded again where the clock was set back', async () => {
    const keys = stored();
    find.mockResolvedValue(keys);
    await signers.load(keys._id);
    clock.advance({ seconds: -0.001 });
    expect(signers.atHand(keys._id)).toBeUndefined();
  });

  it('are not kept longer by being used', async () => {
    const keys = stored();
    find.mockResolvedValue(keys);
    await signers.load(keys._id);
    for (let second = 0; second < 30; second += 5) {
      clock.advance({ seconds: 5 });
      expect(signers.atHand(keys._id)).toBeDefined();
    }
    clock.advance({ seconds: 1 });
    expect(signers.atHand(keys._id)).toBeUndefined();
  });

  it('are read again where they are loaded again', async () => {
    const account = newAccountId();
    const [before, after] = [stored(account), stored(account)];
    find.mockResolvedValueOnce(before).mockResolvedValueOnce(after);
    await signers.load(account);
    await signers.load(account);
    expect(signers.atHand(account)).toMatchObject({ kid: after.current.kid });
  });

  it('can be forgotten, each by itself', async () => {
    const [one, other] = [stored(), stored()];
    find.mockResolvedValueOnce(one).mockResolvedValueOnce(other);
    await signers.load(one._id);
    await signers.load(other._id);
    signers.forget(one._id);
    expect(signers.atHand(one._id)).toBeUndefined();
    expect(signers.atHand(other._id)).toMatchObject({ issuer: other.issuer });
  });

  it(`are the ${CACHED} that were used last, and no more`, async () => {
    find.mockResolvedValue(stored());
    const accounts = Array.from({ length: CACHED + 1 }, () => newAccountId());
    const [first, second] = accounts;
    for (const account of accounts.slice(0, -1)) await signers.load(account);
    expect(signers.atHand(first!)).toBeDefined();
    await signers.load(accounts.at(-1)!);
    expect(signers.atHand(first!)).toBeDefined();
    expect(signers.atHand(second!)).toBeUndefined();
    expect(accounts.filter((account) => signers.atHand(account))).toHaveLength(CACHED);
  });
});
