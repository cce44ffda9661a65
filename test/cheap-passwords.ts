import { createHash } from 'node:crypto';
import type { PasswordHasher } from '../src/auth/passwords/password-hasher.js';
import { normalizePassword } from '../src/auth/passwords/password-policy.js';

/** Has the prefix of a real hash, which `SecretWatch` looks for. */
const hashOf = (password: string) =>
  `$argon2id$v=19$test$${createHash('sha256').update(normalizePassword(password)).digest('hex')}`;

/** A hasher at no cost: argon2id takes 50 ms of a core for each account and login. */
export const cheapPasswords = (): Pick<PasswordHasher, 'hash' | 'verify'> => ({
  hash: async (password) => hashOf(password),
  verify: async (passwordHash, password) => passwordHash === hashOf(password),
});
