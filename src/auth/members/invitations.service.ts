import { Injectable } from '@nestjs/common';
import { record } from '../../events/event.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { Clock } from '../../shared/time/clock.js';
import { type Change, increment, insert, remove } from '../../storage/changes.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import { isAtLeast } from '../access/roles.js';
import { emailTaken } from '../accounts/accounts.service.js';
import { newUser, type User, USERS } from '../accounts/user.js';
import { rejectGuessable } from '../passwords/new-password.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { hashOfInvitation, type Invitation, INVITATIONS } from './invitation.js';
import { subjectOf } from './member.js';

/** What somebody chooses who accepts an invitation. */
interface Joining {
  readonly name: string;
  readonly password: string;
}

/** An invitation that can be accepted now, and the member it is from. */
interface Valid {
  readonly invitation: Invitation;
  readonly inviter: User;
}

@Injectable()
export class InvitationsService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly hasher: PasswordHasher,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** Makes the caller a member of the account that has invited it. An invitation works once. */
  async accept(text: string, { name, password }: Joining): Promise<User> {
    const tokenHash = hashOfInvitation(text);
    const { invitation: found } = await this.require(tokenHash);
    await rejectGuessable('password', password, found.email);
    const passwordHash = await this.hasher.hash(password);
    const decide = async (failed?: Change) => {
      if (failed?.kind === 'insert' && failed.collection === USERS) throw emailTaken();
      const { invitation, inviter } = await this.require(tokenHash);
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

  private async require(tokenHash: string): Promise<Valid> {
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
}

const invalid = () => new DomainError('INVALID_INVITATION');
