import { Injectable } from '@nestjs/common';
import { record } from '../../events/event.js';
import { EmailConflictLimiter } from '../../limits/email-conflict-limiter.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { newRecord } from '../../shared/ids/object-id.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { Clock } from '../../shared/time/clock.js';
import { type Change, insert, remove, replace, touch } from '../../storage/changes.js';
import { Decisions } from '../../storage/decisions.js';
import { findOwned } from '../../storage/find-owned.js';
import { Store } from '../../storage/store.js';
import type { MemberRole } from '../access/roles.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { removalOf } from '../accounts/login-changes.js';
import { type User, USERS } from '../accounts/user.js';
import type { UserPrincipal } from '../principal.js';
import {
  hashOfInvitation,
  type Invitation,
  INVITATION_LIFE,
  INVITATIONS,
  newInvitationText,
} from './invitation.js';
import { invitedMember, MAX_MEMBERS, type Member, memberOf, subjectOf } from './member.js';

const OLDEST_FIRST = { by: 'createdAt', direction: 'asc' } as const;
const ALL = { limit: MAX_MEMBERS };

export interface InvitedMember {
  readonly member: Member;
  /** Null where an earlier request with the same idempotency key has invited the member. */
  readonly invitation: string | null;
}

/** The members of accounts, and invitations to become one. */
@Injectable()
export class MembersService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly accounts: AccountsService,
    private readonly conflicts: EmailConflictLimiter,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** The members, the owner included, then those who are invited; the oldest first. */
  async list(accountId: AccountId): Promise<Member[]> {
    const [users, invitations] = await this.read(accountId);
    return [...users.map(memberOf), ...invitations.map(invitedMember)];
  }

  /**
   * Invites somebody. The invitation replaces an earlier one to the same address.
   *
   * @param email in normal form
   */
  async invite(
    { accountId, id: invitedBy }: UserPrincipal,
    { email, role }: { readonly email: string; readonly role: MemberRole },
    idempotency?: IdempotencyRecord,
  ): Promise<InvitedMember> {
    const text = newInvitationText();
    let decided: Member | undefined;
    const decide = async (failed?: Change) => {
      if (failed?.collection === TOTALS) throw new DomainError('UNAUTHORIZED');
      await this.requireNoLogin(accountId, email);
      const before = await this.store.find(INVITATIONS, { account: accountId, email });
      const [users, others] = await this.read(accountId);
      const isCounted = others.some(({ _id }) => _id === before?._id);
      if (!isCounted && users.length + others.length >= MAX_MEMBERS) {
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
        tokenHash: hashOfInvitation(text),
        expiresAt: new Date(createdAt.getTime() + INVITATION_LIFE),
      };
      decided = invitedMember(invitation);
      const change = before
        ? replace(INVITATIONS, before, invitation)
        : insert(INVITATIONS, invitation);
      const changes = [
        touch(TOTALS, accountId),
        change,
        record('member.invited', subjectOf(invitation), createdAt, { data: { role } }),
      ];
      return { result: decided, changes };
    };
    const member = await this.decisions.run<Member>(decide, {
      idempotency,
      key: `members of ${accountId}`,
    });
    if (member !== decided) return { member, invitation: null };
    this.securityLog.record('member_invited', { account: accountId, user: invitedBy });
    return { member, invitation: text };
  }

  async changeRole(_id: string, role: MemberRole, by: UserPrincipal): Promise<Member> {
    const decide = async () => {
      const { user, invitation } = await this.find(_id, by.accountId);
      const updatedAt = this.clock.now();
      const change = user
        ? replace(USERS, user, { ...user, role, updatedAt })
        : replace(INVITATIONS, invitation, { ...invitation, role });
      const before = user ? memberOf(user) : invitedMember(invitation);
      const data = { role: [before.role, role] };
      const event = record('member.changed', subjectOf(user ?? invitation), updatedAt, { data });
      const changes = before.role === role ? [] : [change, event];
      return { result: { ...before, role }, changes };
    };
    const member = await this.decisions.run(decide, { key: _id });
    this.securityLog.record('member_changed', { account: by.accountId, user: _id });
    return member;
  }

  /** Removes a member, whose sessions end, or withdraws an invitation. */
  async remove(_id: string, { accountId }: UserPrincipal): Promise<void> {
    const decide = async () => {
      const { user, invitation } = await this.find(_id, accountId);
      const changes: Change[] = user ? removalOf(user) : [remove(INVITATIONS, invitation)];
      const data = { role: (user ?? invitation).role, status: user ? 'active' : 'invited' };
      const subject = subjectOf(user ?? invitation);
      const event = record('member.removed', subject, this.clock.now(), { data });
      return { result: undefined, changes: [...changes, event] };
    };
    await this.decisions.run<void>(decide, { key: _id });
    this.securityLog.record('member_removed', { account: accountId, user: _id });
  }

  private async find(
    _id: string,
    accountId: AccountId,
  ): Promise<
    | { readonly user: User; readonly invitation: null }
    | { readonly user: null; readonly invitation: Invitation }
  > {
    const user = await findOwned(this.store, USERS, _id, accountId);
    if (user?.role === 'owner') throw new DomainError('MEMBER_IS_OWNER');
    if (user) return { user, invitation: null };
    const invitation = await findOwned(this.store, INVITATIONS, _id, accountId);
    if (!invitation || invitation.expiresAt <= this.clock.now()) {
      throw new DomainError('MEMBER_NOT_FOUND');
    }
    return { user: null, invitation };
  }

  /** Every conflict is counted, and beyond the limit none is reported. */
  private async requireNoLogin(accountId: AccountId, email: string): Promise<void> {
    await this.conflicts.check(accountId);
    if (await this.accounts.findByEmail(email)) {
      await this.conflicts.reject(accountId, 'EMAIL_ALREADY_REGISTERED');
    }
  }

  private async read(account: AccountId): Promise<[User[], Invitation[]]> {
    const [users, invitations] = await Promise.all([
      this.store.list(USERS, { account }, OLDEST_FIRST, ALL),
      this.store.list(INVITATIONS, { account }, OLDEST_FIRST, ALL),
    ]);
    const now = this.clock.now();
    return [users, invitations.filter(({ expiresAt }) => expiresAt > now)];
  }
}
