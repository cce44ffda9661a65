import { PasswordHasher } from '../../src/auth/passwords/password-hasher.js';
import { passwordForm } from '../../src/auth/passwords/password-policy.js';
import type { TestApp } from '../app.js';

/** Makes hashing cost nothing: for suites that need many accounts and logins, and test something else. */
export function hashCheaply(app: TestApp): void {
  const hasher = app.nest.get(PasswordHasher);
  const hashOf = (password: string) => `hash of ${passwordForm(password)}`;
  jest.spyOn(hasher, 'hash').mockImplementation(async (password) => hashOf(password));
  jest
    .spyOn(hasher, 'verify')
    .mockImplementation(async (passwordHash, password) => passwordHash === hashOf(password));
}
