import { Injectable, Logger } from '@nestjs/common';
import { Job } from '../jobs/job.js';
import { RoundRobin } from '../jobs/round-robin.js';
import { RateLimits } from '../limits/rate-limits.js';
import { type Counter, countersOf, Metrics } from '../metrics/metrics.js';
import { Config, type Limit } from '../shared/config/config.js';
import type { AccountId } from '../shared/ids.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { removeAll, replace, setAll } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { CustomerContent } from './customer-content.js';
import {
  addressLimitKey,
  attempted,
  failed,
  leased,
  type Mail,
  MAILS,
  postponed,
  sent,
} from './mail.js';
import { OutgoingMail } from './outgoing-mail.service.js';
import type { Outcome } from './smtp.js';

/** Maximum connections of an instance. */
const MAX_IN_PROGRESS = 2;
/** Deadline of an attempt, in milliseconds; half of a lease. */
const DEADLINE = 60_000;
/** How long a shutdown waits for attempts in progress, in milliseconds. */
const LAST_ATTEMPTS = 3_000;
/** An instance's first pause while the server accepts no mail, in milliseconds. It doubles up to the longest. */
const FIRST_PAUSE = 60_000;
const LONGEST_PAUSE = 10 * 60_000;
/** How long mail of a disabled account is postponed, in milliseconds. */
const POSTPONE_MS = 10 * 60_000;

const SOONEST_FIRST = { by: 'nextAttemptAt', direction: 'asc' } as const;
const OUTCOMES = ['sent', 'rejected', 'deferred', 'unavailable'] as const;

/** Selects due mail of an account. */
interface DueMails extends Partial<Pick<Mail, 'to' | 'kind'>> {
  readonly accountId: AccountId;
  readonly isToMember: boolean;
  readonly nextAttemptAt: { readonly before: Date };
}

/**
 * Sends due mail. Mail to members goes first. Otherwise, accounts take turns. Several instances can run it;
 * the instance that commits the lease sends the mail.
 */
@Injectable()
export class MailQueue extends Job {
  private readonly log = new Logger(MailQueue.name);
  private readonly inProgress = new Map<Mail, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly turns: readonly RoundRobin<Mail>[];
  private readonly counters: Readonly<Record<Outcome['kind'], Counter>>;
  private pausedUntil = new Date(0);
  private pauses = 0;
  /** How long the oldest due mail has been due, in seconds; undefined while the store does not respond. */
  private overdue: number | undefined;

  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly outgoing: OutgoingMail,
    private readonly customerContent: CustomerContent,
    private readonly limits: RateLimits,
    private readonly config: Config,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    super({ interval: 1_000, pause: 1 });
    this.turns = [true, false].map((isToMember) => {
      const pending = { status: 'pending', isToMember } as const;
      return new RoundRobin(store, MAILS, pending, 'accountId');
    });
    const attempts = metrics.counter('mail_attempts_total', 'Attempts to send mail', 'outcome');
    this.counters = countersOf(attempts, OUTCOMES);
    const paused = 'Whether this instance sends no mail because the server does not accept it';
    metrics.gauge('mail_paused', paused, () => Number(this.pauses > 0));
    const help = 'How long the oldest due mail has been waiting';
    metrics.gauge('mail_oldest_due_seconds', help, () => this.overdue);
  }

  /** Starts due mail without waiting for the attempts. */
  async step(): Promise<boolean> {
    if (!this.outgoing.isOn) return false;
    const due = { nextAttemptAt: { before: this.afterNow() } };
    this.overdue = undefined;
    const [soonest] = await this.store.list(MAILS, due, SOONEST_FIRST, { limit: 1 });
    const now = this.clock.now();
    this.overdue = (now.getTime() - (soonest?.nextAttemptAt ?? now).getTime()) / 1000;
    if (!soonest || this.isFull || now < this.pausedUntil) return false;
    let progress = 0;
    let isMore = false;
    for (const [index, turns] of this.turns.entries()) {
      if (this.isFull) break;
      isMore = await turns.visitNext(async ({ accountId }) => {
        progress += await this.startDue(accountId, index === 0);
        return !this.isFull && !this.isStopping;
      });
    }
    return isMore || progress > 0;
  }

  /** Resolves once all attempts in progress have ended. */
  async waitForAttempts(): Promise<void> {
    while (this.inProgress.size > 0) await Promise.all(this.inProgress.values());
  }

  /** Waits briefly for attempts in progress. Another instance repeats the rest once their leases have expired. */
  override async beforeApplicationShutdown(): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(), LAST_ATTEMPTS);
    await super.beforeApplicationShutdown();
    await this.waitForAttempts();
    clearTimeout(timer);
  }

  /** @returns 1 if a mail of the account was started, failed or postponed, otherwise 0 */
  private async startDue(accountId: AccountId, isToMember: boolean): Promise<0 | 1> {
    const due = { accountId, isToMember, nextAttemptAt: { before: this.afterNow() } };
    const [mail] = await this.store.list(MAILS, due, SOONEST_FIRST, { limit: 1 });
    if (!mail) return 0;
    const now = this.clock.now();
    const account = await this.store.find(TOTALS, { _id: accountId });
    if (!account) await this.decisions.commit([removeAll(MAILS, { accountId })]);
    else if (mail.giveUpAt && mail.giveUpAt <= now) {
      await this.replaceMail(mail, failed(mail, 'link_expired'));
    } else if (account.disabledAt) await this.postponeAll(due, POSTPONE_MS);
    else await this.leaseAndSend(mail, due);
    return 1;
  }

  /** Leases a mail and starts its attempt. If the lease cannot be committed, another instance was faster. */
  private async leaseAndSend(mail: Mail, due: DueMails) {
    const { mailsToAddress, mailsOfAccount } = this.config.limits;
    const [address, account] = [addressLimitKey(mail), mail.accountId];
    const ofAddress = await this.waitFor(mailsToAddress, address);
    const ofAccount = mail.isToMember ? 0 : await this.waitFor(mailsOfAccount, account);
    if (ofAccount > 0) return this.postponeAll(due, ofAccount);
    if (ofAddress > 0) {
      return this.postponeAll({ ...due, to: mail.to, kind: mail.kind }, ofAddress);
    }
    const lease = leased(mail, this.clock.now());
    if (!(await this.replaceMail(mail, lease))) return;
    const attempt = this.attempt(lease)
      .catch((error: Error) => this.log.error('An attempt to send mail failed', error.stack))
      .finally(() => {
        this.inProgress.delete(lease);
        this.wake();
      });
    this.inProgress.set(lease, attempt);
    await this.limits.hit(mailsToAddress, address);
    if (!mail.isToMember) await this.limits.hit(mailsOfAccount, account);
  }

  private async attempt(lease: Mail): Promise<void> {
    const content = lease.isToMember
      ? this.outgoing.open(lease)
      : await this.customerContent.render(lease);
    if (!content) return this.finish(lease, failed(lease, 'not_needed'));
    // Loaded when the first mail is sent.
    const { sendMail } = await import('./smtp.js');
    const { _id, to, createdAt } = lease;
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(DEADLINE)]);
    const outcome = await sendMail(this.config, { ...content, _id, to, createdAt }, signal);
    if (this.stopping.signal.aborted && outcome.kind !== 'sent') return;
    this.counters[outcome.kind].inc();
    if (outcome.kind === 'unavailable') this.pause(outcome);
    else this.resume();
    const after = afterAttempt(lease, outcome, this.clock.now(), this.pausedUntil);
    await this.finish(lease, { ...after, subject: content.subject });
  }

  /** Stores what an attempt changed, unless its lease has expired. */
  private async finish(lease: Mail, after: Mail): Promise<void> {
    await this.decisions.run<void>(async () => {
      const stored = await this.store.find(MAILS, { _id: lease._id });
      const isLeased = stored?.nextAttemptAt?.getTime() === lease.nextAttemptAt?.getTime();
      const changes = stored && isLeased ? [replace(MAILS, stored, after)] : [];
      return { result: undefined, changes };
    });
  }

  private pause({ error, reply }: Extract<Outcome, { kind: 'unavailable' }>): void {
    const now = this.clock.now();
    // Attempts in progress at the same time count as one failure.
    if (now < this.pausedUntil) return;
    const pause = Math.min(FIRST_PAUSE * 2 ** this.pauses, LONGEST_PAUSE);
    this.pauses += 1;
    this.pausedUntil = new Date(now.getTime() + pause);
    const minutes = pause / 60_000;
    this.log.warn(
      `The mail server accepts no mail (${error}: ${reply}). Next attempt in ${minutes} minutes.`,
    );
  }

  private resume(): void {
    this.pauses = 0;
    this.pausedUntil = new Date(0);
  }

  /** Milliseconds until a limit allows another mail. */
  private async waitFor(limit: Limit, key: string): Promise<number> {
    if (limit.requests === 0) return 0;
    const { hits, endsIn } = await this.limits.hit(limit, key, 0);
    return hits < limit.requests ? 0 : Math.max(endsIn, 1);
  }

  /** Postpones many at a time, so thousands take few commits. */
  private async postponeAll(due: DueMails, milliseconds: number): Promise<void> {
    const nextAttemptAt = new Date(this.clock.now().getTime() + milliseconds);
    await this.decisions.commit([setAll(MAILS, due, { nextAttemptAt })]);
  }

  private async replaceMail(before: Mail, after: Mail): Promise<boolean> {
    return (await this.decisions.commit([replace(MAILS, before, after)])).ok;
  }

  private get isFull(): boolean {
    return this.inProgress.size >= MAX_IN_PROGRESS;
  }

  private afterNow(): Date {
    return new Date(this.clock.now().getTime() + 1);
  }
}

function afterAttempt(mail: Mail, outcome: Outcome, now: Date, pausedUntil: Date): Mail {
  switch (outcome.kind) {
    case 'sent':
      return sent(mail, now);
    case 'rejected':
      return failed({ ...mail, attempts: mail.attempts + 1 }, outcome.error);
    case 'deferred':
      return attempted(mail, outcome.error, now);
    case 'unavailable':
      return postponed({ ...mail, error: outcome.error }, pausedUntil);
  }
}
