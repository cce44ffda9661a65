import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS } from '../../shared/time/days.js';
import type { RefreshTokenHashes } from './session.js';

/** Life of a refresh token, in milliseconds: 30 days. */
export const REFRESH_TOKEN_LIFE = 30 * DAY_MS;

/** Characters of each half of a token: 128 random bits, base64url. */
const HALF = 22;

/**
 * A new refresh token: the half that names its family, taken over from its predecessor, and a half of its own.
 * By the first half every spent token is recognized for as long as its session lives, with nothing stored of it.
 */
export function newRefreshToken(predecessor?: string): string {
  const family = predecessor?.slice(0, HALF) ?? randomHalf();
  return `${family}${randomHalf()}`;
}

/** The form in which a refresh token is stored. Its 128 bits a half need no slower hash. */
export function hashRefreshToken(token: string): RefreshTokenHashes {
  return { familyHash: sha256(token.slice(0, HALF)), tokenHash: sha256(token) };
}

const randomHalf = () => randomBytes(16).toString('base64url');

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
