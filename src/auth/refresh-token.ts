import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS } from '../shared/time/days.js';

/** Life of a refresh token, in milliseconds: 30 days. */
export const REFRESH_TOKEN_LIFE = 30 * DAY_MS;

/** A new refresh token: 256 random bits, base64url. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The form in which a refresh token is stored: SHA-256, base64url. Its 256 bits need no slower hash. */
export function hashRefreshToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
