import type { User } from '../accounts/user.js';
import type { MemberDto } from './dto/member.response.js';
import type { Invitation } from './invitation.js';

/** Maximum of members of an account, invitations included. */
export const MAX_MEMBERS = 100;

/** A member of an account, or an invitation to become one. The member keeps the id of the invitation. */
export type Member = Readonly<MemberDto>;

/** The member as the subject of an event: named by the address, which stays the same. */
export const subjectOf = ({ _id, account: accountId, email: name }: User | Invitation) => ({
  accountId,
  _id,
  name,
});

export const memberOf = (user: User): Member => ({
  _id: user._id,
  email: user.email,
  name: user.name,
  role: user.role,
  status: user.disabledAt ? 'disabled' : 'active',
  createdAt: user.createdAt,
  expiresAt: null,
});

export const invitedMember = (invitation: Invitation): Member => ({
  _id: invitation._id,
  email: invitation.email,
  name: null,
  role: invitation.role,
  status: 'invited',
  createdAt: invitation.createdAt,
  expiresAt: invitation.expiresAt,
});
