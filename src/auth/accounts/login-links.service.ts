import { Injectable } from '@nestjs/common';
import { type Link, type LinkKind, LINKS, newLink } from '../../links/link.js';
import { requireLink } from '../../links/require-link.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { Store } from '../../storage/store.js';
import { AccountsService } from './accounts.service.js';
import { linkBindingOf, type User, USERS } from './user.js';
import { type Change, insert } from '../../storage/changes.js';
import { Clock } from '../../shared/time/clock.js';
import { OutgoingMail } from '../../mail/outgoing-mail.service.js';

type LoginLinkKind = Exclude<LinkKind, 'portal'>;

/** One-time links of logins: mails and finds them. */
@Injectable()
export class LoginLinks {
  constructor(
    private readonly store: Store,
    private readonly accounts: AccountsService,
    private readonly outgoing: OutgoingMail,
    private readonly clock: Clock,
  ) {}

  /**
   * The changes that mail a link to a login.
   *
   * @param email the address to confirm, or the login's own
   */
  mail(user: User, kind: LoginLinkKind, email = user.email): Change[] {
    const { account: accountId, _id: subject } = user;
    const fields = { accountId, kind, subject, boundTo: linkBindingOf(user), email };
    const { link, token } = newLink(fields, this.clock.now());
    const page = kind === 'password_reset' ? 'reset-password' : 'confirm-email';
    const values = { link: this.outgoing.linkTo(page, token) };
    const mail = { accountId, kind, to: email, giveUpAt: link.expiresAt, values };
    return [insert(LINKS, link), this.outgoing.toMember(mail)];
  }

  /**
   * The link with this token, and its login.
   *
   * @throws DomainError INVALID_LINK if there is no link of these kinds, if it has expired, or if the
   *   password, the address or the right to sign in has changed since
   */
  async require(
    token: string,
    ...kinds: readonly LinkKind[]
  ): Promise<{ readonly link: Link; readonly user: User }> {
    const link = await requireLink(this.store, this.clock.now(), token, ...kinds);
    const user = await this.store.find(USERS, { _id: link.subject });
    const isBound = user !== null && link.boundTo === linkBindingOf(user);
    if (!isBound || (await this.accounts.isDisabled(user))) throw new DomainError('INVALID_LINK');
    return { link, user };
  }
}
