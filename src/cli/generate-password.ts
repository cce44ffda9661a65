import { randomBytes } from 'node:crypto';

/** A random password: 24 characters, 144 bits. */
export function generatePassword(): string {
  return randomBytes(18).toString('base64url');
}
