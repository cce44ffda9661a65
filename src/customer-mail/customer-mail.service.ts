import { Injectable } from '@nestjs/common';
import { tooManyRequests } from '../limits/rate-limits.js';
import { MAILS } from '../mail/mail.js';
import { addressUnconfirmed, OutgoingMail } from '../mail/outgoing-mail.service.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { NEWEST_FIRST } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import { Store } from '../storage/store.js';

/** Why an account cannot mail its clients. */
export const MAIL_OBSTACLES = ['no_smtp', 'unconfirmed_owner', 'customer_mail_off'] as const;
export type MailObstacle = (typeof MAIL_OBSTACLES)[number];

const REJECTIONS: Readonly<Record<MailObstacle, () => DomainError>> = {
  no_smtp: () => new DomainError('MAIL_OFF'),
  unconfirmed_owner: addressUnconfirmed,
  customer_mail_off: () =>
    new DomainError('MAIL_OFF', {
      details: 'This service does not mail customers. Its operator can set CUSTOMER_MAIL=true.',
    }),
};

/** Whether an account may mail its clients, and how often. */
@Injectable()
export class CustomerMail {
  constructor(
    private readonly store: Store,
    private readonly outgoing: OutgoingMail,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Whether this deployment mails clients. If anyone can register, anyone could mail strangers, so the operator must turn it on. */
  get isOn(): boolean {
    const { customerMail, registration } = this.config;
    return this.outgoing.isOn && (customerMail ?? registration !== 'open');
  }

  async requireAllowed(accountId: AccountId): Promise<void> {
    const obstacle = await this.obstacleFor(accountId);
    if (obstacle) throw REJECTIONS[obstacle]();
  }

  async isAllowed(accountId: AccountId): Promise<boolean> {
    return (await this.obstacleFor(accountId)) === null;
  }

  async obstacleFor(accountId: AccountId): Promise<MailObstacle | null> {
    if (!this.outgoing.isOn) return 'no_smtp';
    const isOpen = this.config.registration === 'open';
    if (isOpen && !(await this.outgoing.isAllowedIn(accountId))) return 'unconfirmed_owner';
    return this.isOn ? null : 'customer_mail_off';
  }

  /** Rejects a person's request beyond an address's limit. Mail about events is delayed instead. */
  async requireRoom(to: string, isToMember: boolean): Promise<void> {
    const limit = this.config.limits.mailsToAddress;
    if (limit.requests === 0) return;
    const windowMs = limit.seconds * 1000;
    const now = this.clock.now().getTime();
    const inWindow = { to, isToMember, createdAt: { from: new Date(now - windowMs + 1) } };
    const slice = { limit: limit.requests };
    const oldest = (await this.store.list(MAILS, inWindow, NEWEST_FIRST, slice))[slice.limit - 1];
    if (!oldest) return;
    throw tooManyRequests(limit, Math.ceil((oldest.createdAt.getTime() + windowMs - now) / 1000));
  }
}
