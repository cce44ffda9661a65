import { createHash, randomBytes } from 'node:crypto';
import { type AccountId, newRecord } from '../shared/ids.js';
import { collection, type RecordOf, field } from '../storage/collection.js';

const MINUTE = 60_000;

/** Every kind of one-time link, with its lifetime in milliseconds. Invitations have their own record. */
export const LINK_LIVES = {
  password_reset: 60 * MINUTE,
  email_change: 24 * 60 * MINUTE,
  email_confirmation: 24 * 60 * MINUTE,
  portal: 15 * MINUTE,
} as const;

export type LinkKind = keyof typeof LINK_LIVES;

const FIELDS = {
  _id: field.id(),
  accountId: field.id<AccountId>(),
  kind: field.text<LinkKind>(),
  /** The login, or the client of a portal link. */
  subject: field.id(),
  /** The digest of {@link bindingTo}, which must not have changed since. */
  boundTo: field.text(),
  /** The address that the link confirms or was sent to. */
  email: field.text(),
  tokenHash: field.text(),
  createdAt: field.time(),
  expiresAt: field.time(),
};

/**
 * A link that works once: the commit that uses it also removes it. The token is in the URL fragment, so it
 * reaches no log, and a mail scanner that opens the link does not use it up.
 */
export type Link = RecordOf<typeof FIELDS>;

export const LINKS = collection<Link>('links', {
  fields: FIELDS,
  unique: [['tokenHash']],
  indexes: [['subject', 'kind', 'createdAt', '_id'], ['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

/** A token of 256 random bits, which do not need a slow hash. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The stored form of a token: SHA-256, base64url. */
export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');

/** A digest of the values a link is bound to, such as the password hash and the address of a login. */
export const bindingTo = (...values: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url');

/** A new link, and its token, which is not stored. */
export function newLink(
  fields: Pick<Link, 'accountId' | 'kind' | 'subject' | 'boundTo' | 'email'>,
  now: Date,
): { readonly link: Link; readonly token: string } {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + LINK_LIVES[fields.kind]);
  const link = {
    ...newRecord(),
    ...fields,
    tokenHash: hashOfToken(token),
    createdAt: now,
    expiresAt,
  };
  return { link, token };
}
