import type { AccountId } from '../../shared/ids.js';
import { DAY_MS } from '../../shared/time/calendar.js';
import { collection, type RecordOf, field } from '../../storage/collection.js';
import type { MemberRole } from '../access/operations.js';
import type { User } from '../accounts/user.js';
import { dueFactors } from '../factors/factors.js';
import type { MemberDto } from './dto/member.dto.js';

/** Maximum number of members of an account, including invitations. */
export const MAX_MEMBERS = 100;

/** Lifetime of an invitation, in milliseconds: 7 days. */
export const INVITATION_LIFE = 7 * DAY_MS;

const FIELDS = {
  /** It becomes the id of the member who accepts. */
  _id: field.id(),
  account: field.id<AccountId>(),
  /** Normalized. */
  email: field.text(),
  role: field.text<MemberRole>(),
  invitedBy: field.id(),
  /** SHA-256 of the invitation text, base64url. */
  tokenHash: field.text(),
  createdAt: field.time(),
  expiresAt: field.time(),
};

/** Whether it belongs to someone who has not joined the account yet. */
export type Invitation = RecordOf<typeof FIELDS>;

export const INVITATIONS = collection<Invitation>('invitations', {
  fields: FIELDS,
  unique: [['tokenHash'], ['account', 'email']],
  indexes: [['account', 'createdAt', '_id'], ['expiresAt']],
  account: 'account',
  expires: 'expiresAt',
});

/** A member of an account, or an invitation to become one. The member keeps the invitation's id. */
export type Member = Readonly<MemberDto>;

/** The member as the subject of an event, named by email address, which never changes. */
export const subjectOf = ({ _id, account: accountId, email: name }: User | Invitation) => ({
  accountId,
  _id,
  name,
});

export const isInvitation = (one: User | Invitation): one is Invitation => 'tokenHash' in one;

/** @param rpId the domain of this deployment's passkeys, if it has one */
export function memberOf(record: User | Invitation, rpId: string | undefined): Member {
  const { _id, email, role, createdAt } = record;
  if (isInvitation(record)) {
    const { expiresAt } = record;
    const pending = { status: 'invited', secondFactor: false, createdAt, expiresAt } as const;
    return { _id, email, name: null, role, ...pending };
  }
  const status = record.disabledAt ? 'disabled' : 'active';
  const secondFactor = dueFactors(record.factors, rpId).length > 0;
  const fields = { _id, email, name: record.name, role, status, secondFactor } as const;
  return { ...fields, createdAt, expiresAt: null };
}
