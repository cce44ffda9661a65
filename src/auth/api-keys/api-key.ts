import { hashOfToken, newToken } from '../../links/link.js';
import type { AccountId } from '../../shared/ids.js';
import { collection, type RecordOf, field } from '../../storage/collection.js';
import type { Scope } from '../access/operations.js';

const FIELDS = {
  _id: field.id(),
  accountId: field.id<AccountId>(),
  name: field.text(),
  scopes: field.list<Scope>(),
  /** SHA-256 of the secret, base64url. */
  secretHash: field.text(),
  /** The last four characters of the secret. */
  keyHint: field.text(),
  /** The member who created it; the key outlives them. */
  createdBy: field.id(),
  createdAt: field.time(),
  expiresAt: field.time().nullable(),
  /** Rounded down to the hour; null before the first use. */
  lastUsedAt: field.time().nullable(),
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
