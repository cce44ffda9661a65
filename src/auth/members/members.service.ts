import { Injectable } from '@nestjs/common';
import { record } from '../../events/event.js';
import { EmailConflictLimiter } from '../../limits/conflict-limiters.js';
import { hashOfToken, newToken } from '../../links/link.js';
import { MAILS } from '../../mail/mail.js';
import { OutgoingMail } from '../../mail/outgoing-mail.service.js';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import { type AccountId, newRecord } from '../../shared/ids.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { addDays } from '../../shared/time/calendar.js';
import { OLDEST_FIRST } from '../../shared/pagination/page.js';
import { Clock } from '../../shared/time/clock.js';
import { type Change, increment, insert, remove, replace, touch } from '../../storage/changes.js';
import { type Decide, Decisions } from '../../storage/decisions.js';
import { findOwned, Store } from '../../storage/store.js';
import { isAtLeast, type MemberRole } from '../access/operations.js';
import { withLiveAccess } from '../access/with-live-access.js';
import { AccountsService, emailTaken, type NewAccount } from '../accounts/accounts.service.js';
import { newUser, removalOf, type User, USERS } from '../accounts/user.js';
import { RelyingParty } from '../factors/relying-party.js';
import { rejectGuessable } from '../passwords/password.decorators.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import type { UserPrincipal } from '../principal.js';
import {
  type Invitation,
  INVITATION_LIFE,
  INVITATIONS,
  isInvitation,
  MAX_MEMBERS,
  type Member,
  memberOf,
  subjectOf,
} from './member.js';
import type { InvitedMemberResponse } from './dto/member.dto.js';

/** Maximum number of invitations that an account mails per day if anyone can register. */
const MAX_MAILED = 20;
const ALL = { limit: MAX_MEMBERS };

type InvitedMember = Omit<InvitedMemberResponse, 'message'>;

@Injectable()
export class MembersService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    private readonly conflicts: EmailConflictLimiter,
    private readonly relyingParty: RelyingParty,
    private readonly outgoing: OutgoingMail,
    private readonly config: Config,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** The members, starting with the owner, then the invitations, oldest first. */
  async list(accountId: AccountId): Promise<Member[]> {
    return (await this.listAll(accountId)).map((one) => this.toMember(one));
  }

  /** Invites someone, replacing an earlier invitation to the same (normalized) address. */
  async invite(
    by: UserPrincipal,
    { email, role }: { readonly email: string; readonly role: MemberRole },
    idempotency?: IdempotencyRecord,
  ): Promise<InvitedMember> {
    const { accountId, id: invitedBy } = by;
    const text = newToken();
    let decided: Omit<InvitedMember, 'invitation'> | undefined;
    const decide = async (failed?: Change) => {
      if (failed?.collection === TOTALS) throw new DomainError('UNAUTHORIZED');
      const isFree = !(await this.accounts.findByEmail(email));
      await this.conflicts.require(accountId, isFree, emailTaken());
      const before = await this.store.find(INVITATIONS, { account: accountId, email });
      const members = await this.listAll(accountId);
      const isCounted = members.some(({ _id }) => _id === before?._id);
      if (!isCounted && members.length >= MAX_MEMBERS) {
        throw new DomainError('MEMBER_QUOTA_REACHED');
      }
      const createdAt = this.clock.now();
      const invitation: Invitation = {
        ...(before ?? newRecord()),
        account: accountId,
        email,
        role,
        invitedBy,
        createdAt,
        tokenHash: hashOfToken(text),
        expiresAt: new Date(createdAt.getTime() + INVITATION_LIFE),
      };
      const mails = await this.mailsOf(invitation, text, members);
      decided = { member: this.toMember(invitation), mailed: mails.length > 0 };
      const changes = [
        touch(TOTALS, accountId),
        before ? replace(INVITATIONS, before, invitation) : insert(INVITATIONS, invitation),
        record('member.invited', subjectOf(invitation), createdAt, { data: { role } }),
        ...mails,
      ];
      return { result: decided, changes };
    };
    const key = `members of ${accountId}`;
    const invited = await this.decisions.run(withLiveAccess(by, decide), { idempotency, key });
    if (invited !== decided) return { ...invited, invitation: null };
    this.securityLog.record('member_invited', { account: accountId, user: invitedBy });
    return { ...invited, invitation: text };
  }

  /** The change that mails an invitation; none if mail is off, or if the account has reached its limit for today. */
  private async mailsOf(
    { account: accountId, email: to, role, expiresAt: giveUpAt, createdAt }: Invitation,
    text: string,
    members: readonly (User | Invitation)[],
  ): Promise<Change[]> {
    const isUser = (one: User | Invitation): one is User => !isInvitation(one);
    const owner = members.filter(isUser).find((one) => one.role === 'owner');
    if (!owner || !this.outgoing.isAllowedFor(owner)) return [];
    if (this.config.registration === 'open') {
      const today = { createdAt: { from: addDays(createdAt, -1) } };
      const sameKind = { accountId, kind: 'invitation', ...today } as const;
      if ((await this.store.count(MAILS, sameKind, MAX_MAILED)) >= MAX_MAILED) return [];
    }
    const values = { account: owner.name, role, link: this.outgoing.linkTo('join', text) };
    return [this.outgoing.toMember({ accountId, kind: 'invitation', to, giveUpAt, values })];
  }

  /** Adds the caller to the account that invited them. An invitation works once. */
  async accept(text: string, { name, password }: Omit<NewAccount, 'email'>): Promise<User> {
    const tokenHash = hashOfToken(text);
    const { invitation: found } = await this.requireValidInvitation(tokenHash);
    await rejectGuessable('password', password, found.email);
    const passwordHash = await this.hasher.hash(password);
    const decide = async (failed?: Change) => {
      if (failed?.kind === 'insert' && failed.collection === USERS) throw emailTaken();
      const { invitation, inviter } = await this.requireValidInvitation(tokenHash);
      const { _id, account, email, role } = invitation;
      const now = this.clock.now();
      const user = newUser({ _id, account, role, name, email, passwordHash }, now);
      const by = { type: 'user', id: _id, name } as const;
      const changes = [
        remove(INVITATIONS, invitation),
        insert(USERS, user),
        increment(USERS, inviter._id, {}, { where: { role: inviter.role, disabledAt: null } }),
        increment(TOTALS, account, {}, { where: { disabledAt: null } }),
        record('member.joined', subjectOf(user), now, { data: { role }, by }),
      ];
      return { result: user, changes };
    };
    const user = await this.decisions.run(decide, { key: found._id });
    this.securityLog.record('member_joined', { account: user.account, user: user._id });
    return user;
  }

  async changeRole(_id: string, role: MemberRole, by: UserPrincipal): Promise<Member> {
    const decide = async () => {
      const found = await this.find(_id, by);
      const updatedAt = this.clock.now();
      const change = isInvitation(found)
        ? replace(INVITATIONS, found, { ...found, role })
        : replace(USERS, found, { ...found, role, updatedAt });
      const data = { role: [found.role, role] };
      const event = record('member.changed', subjectOf(found), updatedAt, { data });
      const changes = found.role === role ? [] : [change, event];
      return { result: { ...this.toMember(found), role }, changes };
    };
    const member = await this.decisions.run(requireOtherMember(_id, by, decide), { key: _id });
    this.securityLog.record('member_changed', { account: by.accountId, user: _id });
    return member;
  }

  /** Removes a member and ends their sessions, or withdraws an invitation. */
  async remove(_id: string, by: UserPrincipal): Promise<void> {
    const decide = async () => {
      const found = await this.find(_id, by);
      const changes = isInvitation(found) ? [remove(INVITATIONS, found)] : removalOf(found);
      const status = isInvitation(found) ? 'invited' : 'active';
      const data = { role: found.role, status };
      const event = record('member.removed', subjectOf(found), this.clock.now(), { data });
      return { result: undefined, changes: [...changes, event] };
    };
    await this.decisions.run<void>(requireOtherMember(_id, by, decide), { key: _id });
    this.securityLog.record('member_removed', { account: by.accountId, user: _id });
  }

  private toMember(one: User | Invitation): Member {
    return memberOf(one, this.relyingParty.site?.id);
  }

  private async find(_id: string, by: UserPrincipal): Promise<User | Invitation> {
    const { accountId } = by;
    const user = await findOwned(this.store, USERS, _id, accountId);
    if (_id === by.id && user?.role !== by.role) throw new DomainError('UNAUTHORIZED');
    if (user?.role === 'owner') throw new DomainError('MEMBER_IS_OWNER');
    if (user) return user;
    const invitation = await findOwned(this.store, INVITATIONS, _id, accountId);
    if (!invitation || invitation.expiresAt <= this.clock.now()) {
      throw new DomainError('MEMBER_NOT_FOUND');
    }
    return invitation;
  }

  /** An invitation that can be accepted now, and the member who sent it. */
  private async requireValidInvitation(
    tokenHash: string,
  ): Promise<{ invitation: Invitation; inviter: User }> {
    const invitation = await this.store.find(INVITATIONS, { tokenHash });
    if (!invitation || invitation.expiresAt <= this.clock.now()) throw invalid();
    const [inviter, account] = await Promise.all([
      this.store.find(USERS, { _id: invitation.invitedBy }),
      this.store.find(TOTALS, { _id: invitation.account }),
    ]);
    const mayInvite = inviter?.disabledAt === null && isAtLeast(inviter.role, 'admin');
    if (!mayInvite || account?.disabledAt !== null) throw invalid();
    return { invitation, inviter };
  }

  private async listAll(account: AccountId): Promise<(User | Invitation)[]> {
    const [users, invitations] = await Promise.all([
      this.store.list(USERS, { account }, OLDEST_FIRST, ALL),
      this.store.list(INVITATIONS, { account }, OLDEST_FIRST, ALL),
    ]);
    const now = this.clock.now();
    return [...users, ...invitations.filter(({ expiresAt }) => expiresAt > now)];
  }
}

/** A change to the caller's own login requires that the login is unchanged. */
const requireOtherMember = <T extends object | void>(
  _id: string,
  by: UserPrincipal,
  decide: Decide<T>,
) => (_id === by.id ? decide : withLiveAccess(by, decide));

const invalid = () => new DomainError('INVALID_INVITATION');
