import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS } from '../../shared/time/days.js';
import { type RefreshTokenHashes, type Session, SESSION_LIFE, type SessionUse } from './session.js';

/** Life of a refresh token, in milliseconds: 30 days. */
export const REFRESH_TOKEN_LIFE = 30 * DAY_MS;

/** Length of each half of a token: 128 random bits, base64url. */
const HALF = 22;

/**
 * A new refresh token: its first half identifies the family and is copied from the predecessor, its second
 * half is random. The first half identifies every spent token of a session, without storing any of them.
 */
export function newRefreshToken(predecessor?: string): string {
  const family = predecessor?.slice(0, HALF) ?? randomHalf();
  return `${family}${randomHalf()}`;
}

/** The hashes stored of a refresh token. Halves of 128 random bits need no slow hash. */
export function hashRefreshToken(token: string): RefreshTokenHashes {
  return { familyHash: sha256(token.slice(0, HALF)), tokenHash: sha256(token) };
}

/** A session whose latest token was spent for a successor: it ends with that one, or {@link SESSION_LIFE} after its login. */
export function rotated(session: Session, tokenHash: string, use: SessionUse): Session {
  const { lastUsedAt: now } = use;
  const [fromNow, fromStart] = [now.getTime(), session.startedAt.getTime()];
  const end = Math.min(fromNow + REFRESH_TOKEN_LIFE, fromStart + SESSION_LIFE);
  return { ...session, ...use, tokenHash, expiresAt: new Date(end) };
}

const randomHalf = () => randomBytes(16).toString('base64url');

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
