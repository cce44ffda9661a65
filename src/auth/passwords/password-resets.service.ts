import { Injectable } from '@nestjs/common';
import { EVENTS } from '../../events/event.js';
import { RateLimits } from '../../limits/rate-limits.js';
import { LINK_LIVES, LINKS } from '../../links/link.js';
import { LINK_REQUESTS, type LinkRequest, newLinkRequest } from '../../links/link-request.js';
import { OutgoingMail } from '../../mail/outgoing-mail.service.js';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { AccountId } from '../../shared/ids.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { NEWEST_FIRST } from '../../shared/pagination/page.js';
import { Clock } from '../../shared/time/clock.js';
import { type Change, insert, remove, replace } from '../../storage/changes.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { LoginLinks } from '../accounts/login-links.service.js';
import { actorOf, idsOf, newAccountEvent, type User, USERS } from '../accounts/user.js';
import { API_KEYS, type ApiKey, MAX_API_KEYS } from '../api-keys/api-key.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { PasswordHasher } from './password-hasher.js';
import { rejectGuessable } from './password.decorators.js';

/** Maximum number of unexpired links of a login: three an hour. */
const MAX_LINKS = 3;

/** Emails links to choose a new password to members who forgot theirs. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly accounts: AccountsService,
    private readonly links: LoginLinks,
    private readonly outgoing: OutgoingMail,
    private readonly hasher: PasswordHasher,
    private readonly sessions: SessionsService,
    private readonly securityLog: SecurityLog,
    private readonly limits: RateLimits,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Stores a request, whether or not the login exists; a worker finds out. */
  async request(email: string): Promise<void> {
    if (!this.outgoing.isOn) throw new DomainError('MAIL_OFF');
    const request = newLinkRequest('password_reset', email, null, this.clock.now());
    await this.decisions.commit([insert(LINK_REQUESTS, request)]);
  }

  /** The changes that mail a link for a request; none if the login does not exist, is disabled or has enough links. */
  async changesFor({ email }: LinkRequest): Promise<Change[]> {
    const user = await this.accounts.findByEmail(email);
    if (!user || (await this.accounts.isDisabled(user))) return [];
    const isConfirmed = await this.outgoing.isAllowedIn(user.account);
    // Anyone can add members to an account that nobody has confirmed.
    if (!isConfirmed && user.role !== 'owner') return [];
    const sameKind = { subject: user._id, kind: 'password_reset' } as const;
    const now = this.clock.now();
    const since = new Date(now.getTime() - LINK_LIVES.password_reset + 1);
    const recent = { ...sameKind, createdAt: { from: since } };
    if ((await this.store.count(LINKS, recent, MAX_LINKS)) >= MAX_LINKS) return [];
    // Even an unconfirmed owner gets a link. Using it confirms the address and takes over a login that a
    // stranger registered with it.
    if (!isConfirmed && (await this.isOverLimit(user.account))) return [];
    return this.links.mail(user, 'password_reset');
  }

  /**
   * Sets a new password and ends every session and link of the login. Second factors stay.
   *
   * @returns the API keys that the login created
   */
  async confirm(token: string, password: string): Promise<ApiKey[]> {
    const { user: found } = await this.links.require(token, 'password_reset');
    // Checked before the token is spent.
    await rejectGuessable('password', password, found.email);
    const passwordHash = await this.hasher.hash(password);
    const decide = async () => {
      const { link, user } = await this.links.require(token, 'password_reset');
      const updatedAt = this.clock.now();
      const sessions = await this.sessions.listLive(user._id);
      const changes = [
        // The new password voids the other links.
        remove(LINKS, link),
        // The link has reached the address, so the address is confirmed.
        replace(USERS, user, { ...user, passwordHash, updatedAt, emailConfirmedAt: updatedAt }),
        insert(EVENTS, newAccountEvent('account.password_changed', user, updatedAt)),
        ...sessions.flatMap((session) => this.sessions.endSession(session, actorOf(user))),
      ];
      return { result: user, changes };
    };
    const user = await this.decisions.run(decide, { key: found._id });
    this.securityLog.record('password_changed', idsOf(user));
    return this.apiKeysOf(user);
  }

  private async isOverLimit(accountId: AccountId): Promise<boolean> {
    const { unconfirmedLinks } = this.config.limits;
    return (await this.limits.hit(unconfirmedLinks, accountId)).hits > unconfirmedLinks.requests;
  }

  private async apiKeysOf({ _id, account: accountId }: User): Promise<ApiKey[]> {
    const slice = { limit: MAX_API_KEYS };
    const keys = await this.store.list(API_KEYS, { accountId }, NEWEST_FIRST, slice);
    return keys.filter(({ createdBy }) => createdBy === _id);
  }
}
