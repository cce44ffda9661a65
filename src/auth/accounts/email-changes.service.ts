import { Injectable } from '@nestjs/common';
import { record } from '../../events/event.js';
import { EmailConflictLimiter } from '../../limits/conflict-limiters.js';
import { RateLimits } from '../../limits/rate-limits.js';
import { LINKS } from '../../links/link.js';
import { addressUnconfirmed, OutgoingMail } from '../../mail/outgoing-mail.service.js';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import { Clock } from '../../shared/time/clock.js';
import { type Change, remove, removeAll, replace } from '../../storage/changes.js';
import { Decisions } from '../../storage/decisions.js';
import { withLiveAccess } from '../access/with-live-access.js';
import { subjectOf } from '../members/member.js';
import type { UserPrincipal } from '../principal.js';
import { LOGIN_ADDRESSES } from '../sessions/session.js';
import { AccountsService, emailTaken } from './accounts.service.js';
import { LoginLinks } from './login-links.service.js';
import { actorOf, type User, USERS } from './user.js';

/** Confirms or changes email addresses with a mailed link. */
@Injectable()
export class EmailChanges {
  constructor(
    private readonly decisions: Decisions,
    private readonly accounts: AccountsService,
    private readonly links: LoginLinks,
    private readonly outgoing: OutgoingMail,
    private readonly conflicts: EmailConflictLimiter,
    private readonly limits: RateLimits,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Emails a link to a new address, or to the current one to confirm it. */
  async request(by: UserPrincipal, email: string, idempotency?: IdempotencyRecord): Promise<void> {
    if (!this.outgoing.isOn) throw new DomainError('MAIL_OFF');
    // A repeated request counts towards no limit.
    if (idempotency && (await this.decisions.findResult(idempotency))) return;
    const { emailChange, unconfirmedLinks } = this.config.limits;
    await this.limits.count(emailChange, by.id);
    if (!(await this.outgoing.isAllowedIn(by.accountId))) {
      await this.limits.count(unconfirmedLinks, by.accountId);
    }
    const decide = async () => {
      const user = await this.accounts.get(by.id);
      await this.requireMail(user);
      if (email !== user.email) {
        const isFree = !(await this.accounts.findByEmail(email));
        await this.conflicts.require(by.accountId, isFree, emailTaken());
      }
      return { result: undefined, changes: this.linkTo(user, email) };
    };
    await this.decisions.run<void>(withLiveAccess(by, decide), { idempotency, key: by.id });
  }

  /** The changes that mail a link to a login's current or new address. */
  linkTo(user: User, email: string): Change[] {
    const kind = email === user.email ? 'email_confirmation' : 'email_change';
    return this.links.mail(user, kind, email);
  }

  /**
   * Uses a link. The password, sessions and API keys stay. Known network addresses do not, because they are
   * stored by email address.
   *
   * @returns the address
   */
  async confirm(token: string): Promise<string> {
    const decide = async () => {
      const { link, user } = await this.links.require(token, 'email_change', 'email_confirmation');
      const { email } = link;
      const isNew = email !== user.email;
      if (isNew && (await this.accounts.findByEmail(email))) throw emailTaken();
      const now = this.clock.now();
      const after = { ...user, email, emailConfirmedAt: now, ...(isNew && { updatedAt: now }) };
      const data = { email: [user.email, email] };
      const changes = [
        remove(LINKS, link),
        replace(USERS, user, after),
        ...(isNew
          ? [
              removeAll(LOGIN_ADDRESSES, { user: user._id }),
              record('member.changed', subjectOf(after), now, { data, by: actorOf(user) }),
            ]
          : []),
      ];
      return { result: { email }, changes };
    };
    return (await this.decisions.run(decide)).email;
  }

  /**
   * @throws DomainError MAIL_OFF for members of an unconfirmed account, because anyone could make strangers
   *   its members
   */
  private async requireMail({ account, role }: User): Promise<void> {
    const isAllowed = role === 'owner' || (await this.outgoing.isAllowedIn(account));
    if (!isAllowed) throw addressUnconfirmed();
  }
}
