import { dueFactors, type Factors, NO_FACTORS, type Passkey, stepUpFactors } from './factors.js';

const NOW = new Date(0);
const totp = { sealedSecret: 'sealed', createdAt: NOW, lastStep: 0 };
const passkey = { rpId: 'a.example' } as Passkey;
const recoveryCodes = [{ hash: 'a', isSpent: false }];
const SPENT = [{ hash: 'a', isSpent: true }];

it.each<[string, Partial<Factors>, string | undefined, string[]]>([
  ['nothing', {}, 'a.example', []],
  ['an app', { totp, recoveryCodes }, undefined, ['totp', 'recovery_code']],
  ['an app with spent codes', { totp, recoveryCodes: SPENT }, undefined, ['totp']],
  ['a passkey', { passkeys: [passkey], recoveryCodes }, 'a.example', ['passkey', 'recovery_code']],
  ['a passkey of another domain', { passkeys: [passkey], recoveryCodes }, 'b.example', []],
  ['a passkey without a domain', { passkeys: [passkey], recoveryCodes }, undefined, []],
  ['both', { totp, passkeys: [passkey] }, 'a.example', ['totp', 'passkey']],
  ['an app and one of another domain', { totp, passkeys: [passkey] }, 'b.example', ['totp']],
])('a login with %s needs one of the factors that work here', (_what, factors, rpId, due) => {
  const found = dueFactors({ ...NO_FACTORS, ...factors }, rpId);
  expect(found).toEqual(due);
  // A recovery code cannot confirm a change.
  expect(stepUpFactors(found)).toEqual(due.filter((kind) => kind !== 'recovery_code'));
});
