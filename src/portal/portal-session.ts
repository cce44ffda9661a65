import { type Client, CLIENTS } from '../clients/client.js';
import { hashOfToken, LINKS, newLink } from '../links/link.js';
import { MAILS } from '../mail/mail.js';
import { type AccountId, newRecord } from '../shared/ids.js';
import { DAY_MS } from '../shared/time/calendar.js';
import { type Change, increment, insert, removeAll } from '../storage/changes.js';
import { collection, type RecordOf, field } from '../storage/collection.js';

const MINUTE_MS = 60_000;

/** How long a session lasts without a request, and at most, in milliseconds. */
const SESSION_IDLE = 30 * MINUTE_MS;
export const SESSION_LIFE = DAY_MS / 3;
/** The end of a session moves by at least this much, so few requests write. */
const LEAST_MOVE = MINUTE_MS;

const FIELDS = {
  _id: field.id(),
  accountId: field.id<AccountId>(),
  client: field.id(),
  /** The client's address at the start; the session ends when it changes. */
  email: field.text(),
  tokenHash: field.text(),
  createdAt: field.time(),
  expiresAt: field.time(),
};

/** A client that is signed in to the portal. */
export type PortalSession = RecordOf<typeof FIELDS>;

export const PORTAL_SESSIONS = collection<PortalSession>('portal_sessions', {
  fields: FIELDS,
  unique: [['tokenHash']],
  indexes: [['client', '_id'], ['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

export const newPortalSession = (
  { _id: client, owner: accountId, email }: Client,
  token: string,
  createdAt: Date,
): PortalSession => ({
  ...newRecord(),
  accountId,
  client,
  email,
  tokenHash: hashOfToken(token),
  createdAt,
  expiresAt: new Date(createdAt.getTime() + SESSION_IDLE),
});

/** A session after a request; the same object if the change is too small. */
export function extended(session: PortalSession, now: Date): PortalSession {
  const end = Math.min(now.getTime() + SESSION_IDLE, session.createdAt.getTime() + SESSION_LIFE);
  const isSmall = end - session.expiresAt.getTime() < LEAST_MOVE;
  return isSmall ? session : { ...session, expiresAt: new Date(end) };
}

/** The change that stores a new link of a client, and its token. */
export function linkFor({ _id: subject, owner: accountId, email }: Client, now: Date) {
  const fields = { accountId, kind: 'portal', subject, boundTo: '', email } as const;
  const { link, token } = newLink(fields, now);
  return { change: insert(LINKS, link), token, expiresAt: link.expiresAt };
}

/** Requires that a client still has its address. */
export const requireUnchangedAddress = ({ _id, email }: Client): Change =>
  increment(CLIENTS, _id, {}, { where: { email } });

/** Deletes a client's links and sessions. */
export const signOut = ({ _id: client }: Client): Change[] => [
  removeAll(LINKS, { subject: client, kind: 'portal' }),
  removeAll(PORTAL_SESSIONS, { client }),
];

/** Deletes a client's links and sessions, and mail that contains such links and the client's address. */
export const endAccess = (client: Client): Change[] => [
  ...signOut(client),
  removeAll(MAILS, { accountId: client.owner, about: client._id }),
];
