import { createHash, randomBytes } from 'node:crypto';
import type { AccountId } from '../../shared/ids/account-id.js';
import { DAY_MS } from '../../shared/time/days.js';
import { collection, id, type RecordOf, text, time } from '../../storage/collection.js';
import type { MemberRole } from '../access/roles.js';

const FIELDS = {
  /** The id of the member that accepts it, too. */
  _id: id(),
  account: id<AccountId>(),
  /** In normal form. */
  email: text(),
  role: text<MemberRole>(),
  invitedBy: id(),
  /** SHA-256 of the text of the invitation, base64url. */
  tokenHash: text(),
  createdAt: time(),
  expiresAt: time(),
};

/** Of somebody who has not joined the account yet. */
export type Invitation = RecordOf<typeof FIELDS>;

export const INVITATIONS = collection<Invitation>('invitations', {
  fields: FIELDS,
  unique: [['tokenHash'], ['account', 'email']],
  indexes: [['account', 'createdAt', '_id'], ['expiresAt']],
  account: 'account',
  expires: 'expiresAt',
});

/** Life of an invitation, in milliseconds: 7 days. */
export const INVITATION_LIFE = 7 * DAY_MS;

/** The text of a new invitation: 256 random bits, which need no slow hash. */
export const newInvitationText = (): string => randomBytes(32).toString('base64url');

export const hashOfInvitation = (text: string): string =>
  createHash('sha256').update(text).digest('base64url');
