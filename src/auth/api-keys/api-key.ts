import { hashOfToken, newToken } from '../../links/link.js';
import type { AccountId } from '../../shared/ids.js';
import { collection, id, list, type RecordOf, text, time } from '../../storage/collection.js';
import type { Scope } from '../access/operations.js';

const FIELDS = {
  _id: id(),
  accountId: id<AccountId>(),
  name: text(),
  scopes: list<Scope>(),
  /** SHA-256 of the secret, base64url. */
  secretHash: text(),
  /** The last four characters of the secret. */
  keyHint: text(),
  /** The member who created it; the key outlives them. */
  createdBy: id(),
  createdAt: time(),
  expiresAt: time().nullable(),
  /** Rounded down to the hour; null before the first use. */
  lastUsedAt: time().nullable(),
};

export type ApiKey = RecordOf<typeof FIELDS>;

export const API_KEYS = collection<ApiKey>('api_keys', {
  fields: FIELDS,
  unique: [['secretHash']],
  indexes: [['accountId', 'createdAt', '_id']],
  account: 'accountId',
});

export const MAX_API_KEYS = 100;

export const SECRET_PREFIX = 'lms_';
const SHAPE = /^(lms_[\w-]{43})([\w-]{6})$/;

/** A new secret: prefix, 256 random bits and checksum, in base64url. */
export function newSecret(): string {
  const secret = SECRET_PREFIX + newToken();
  return secret + checksumOf(secret);
}

/** Whether a text has the form and checksum of a secret. Rejects typos and scanners' guesses without a lookup. */
export function isSecret(text: string): boolean {
  const [, secret, checksum] = SHAPE.exec(text) ?? [];
  return secret !== undefined && checksumOf(secret) === checksum;
}

export const isExpired = ({ expiresAt }: ApiKey, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

const checksumOf = (secret: string) => hashOfToken(secret).slice(0, 6);
