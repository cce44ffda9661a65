import { type AccountId, newRecord } from '../shared/ids.js';
import { collection, type RecordOf, field } from '../storage/collection.js';
import { LINK_LIVES, type LinkKind } from './link.js';

/** The kinds of links that a stranger can request for an email address. */
export type RequestedKind = Extract<LinkKind, 'password_reset' | 'portal'>;

const FIELDS = {
  _id: field.id(),
  kind: field.text<RequestedKind>(),
  /** The address as sent, normalized; it may have no login or client. */
  email: field.text(),
  /** The account whose portal received the request; null for a login. */
  accountId: field.id<AccountId>().nullable(),
  createdAt: field.time(),
  expiresAt: field.time(),
};

/**
 * A request for a link by mail. Every request stores one, and a worker looks the address up later, so
 * neither the response nor its timing reveals whether the address is known.
 */
export type LinkRequest = RecordOf<typeof FIELDS>;

export const LINK_REQUESTS = collection<LinkRequest>('link_requests', {
  fields: FIELDS,
  indexes: [['createdAt', '_id'], ['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

export const newLinkRequest = (
  kind: RequestedKind,
  email: string,
  accountId: AccountId | null,
  now: Date,
): LinkRequest => {
  const expiresAt = new Date(now.getTime() + LINK_LIVES[kind]);
  return { ...newRecord(), kind, email, accountId, createdAt: now, expiresAt };
};
