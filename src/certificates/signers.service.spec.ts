import { someSigningKeys } from '../../test/builders/signing-keys.builder.js';
import { useServices } from '../../test/services.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { Signers } from './signers.service.js';
import { AccountKeys } from './signing-keys/account-keys.service.js';
import { KeyPairs } from './signing-keys/key-pairs.service.js';
import { SIGNING_KEYS } from './signing-keys/signing-keys.js';

const CACHED = 5_000;

describe('Signers', () => {
  const { clock, the, add } = useServices();
  let signers: Signers;
  beforeEach(() => (signers = the(Signers)));

  /** Stores keys of an account, whose issuer is another id, as after an import. */
  const addKeys = () => {
    const [issuer, keyPairs] = [newAccountId(), the(KeyPairs)];
    const [current, next] = [keyPairs.generate(issuer), keyPairs.generate(issuer)];
    return add(SIGNING_KEYS, someSigningKeys({ issuer, current, next }));
  };

  it('are those of no deleted account', async () => {
    const account = newAccountId();
    expect(await signers.load(account)).toBeUndefined();
    expect(signers.peek(account)).toBeUndefined();
  });

  it('are cached for half a minute after they were loaded, by the clock, however often they are used', async () => {
    const keys = await addKeys();
    expect(signers.peek(keys._id)).toBeUndefined();
    const signer = await signers.load(keys._id);
    expect(signer).toMatchObject({ issuer: keys.issuer, kid: keys.current.kid });
    for (let second = 0; second < 30; second += 5) {
      expect(signers.peek(keys._id)).toBe(signer);
      clock.advance({ seconds: 5 });
    }
    expect(signers.peek(keys._id)).toBe(signer);
    clock.advance({ seconds: 0.001 });
    expect(signers.peek(keys._id)).toBeUndefined();
    // The clock may be set back.
    await signers.load(keys._id);
    clock.advance({ seconds: -0.001 });
    expect(signers.peek(keys._id)).toBeUndefined();
  });

  it('can be forgotten, each by itself', async () => {
    const [one, other] = [await addKeys(), await addKeys()];
    for (const { _id } of [one, other]) await signers.load(_id);
    signers.forget(one._id);
    expect(signers.peek(one._id)).toBeUndefined();
    expect(signers.peek(other._id)).toMatchObject({ issuer: other.issuer });
  });

  it(`are the ${CACHED} that were used last, and no more`, async () => {
    jest.spyOn(the(AccountKeys), 'of').mockResolvedValue(await addKeys());
    const accounts = Array.from({ length: CACHED + 1 }, () => newAccountId());
    const [first, second] = accounts;
    for (const account of accounts.slice(0, -1)) await signers.load(account);
    expect(signers.peek(first!)).toBeDefined();
    await signers.load(accounts.at(-1)!);
    expect(signers.peek(first!)).toBeDefined();
    expect(signers.peek(second!)).toBeUndefined();
    expect(accounts.filter((account) => signers.peek(account))).toHaveLength(CACHED);
  });
});
