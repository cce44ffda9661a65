import { createHash } from 'node:crypto';
import type { PasswordHasher } from '../src/auth/passwords/password-hasher.js';
import { normalizePassword } from '../src/auth/passwords/password-policy.js';

/** Begins as a real hash does, by which `SecretWatch` finds it. */
const hashOf = (password: string) =>
  `$argon2id$v=19$test$${createHash('sha256').update(normalizePassword(password)).digest('hex')}`;

/** A hasher that costs nothing: argon2id takes 50 ms of a core for each account and each login. */
export const cheapPasswords = (): Pick<PasswordHasher, 'hash' | 'verify'> => ({
  hash: async (password) => hashOf(password),
  verify: async (passwordHash, password) => passwordHash === hashOf(password),
});
