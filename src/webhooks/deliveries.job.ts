import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Job } from '../jobs/job.js';
import { RoundRobin } from '../jobs/round-robin.js';
import { Metrics } from '../metrics/metrics.js';
import type { AccountId } from '../shared/ids.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, removeAll, replace, setAll } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import {
  DELIVERIES,
  DELIVERIES_PER_COMMIT,
  type Delivery,
  dueNow,
  finishedFields,
  isSlow,
  leased,
} from './delivery.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';
import { type Webhook, WEBHOOKS } from './webhook.js';

const PENDING = { status: 'pending' } as const;
const SOONEST_FIRST = { by: 'nextAttemptAt', direction: 'asc' } as const;
/** How long the deliveries of a disabled account are postponed, in milliseconds. */
const POSTPONE_MS = 10 * 60_000;

/** Maximum attempts in progress per instance, per account and per webhook. */
const MAX_IN_PROGRESS = 256;
const MAX_OF_ACCOUNT = 8;
const MAX_OF_WEBHOOK = 4;
/** Maximum number of attempts in progress that are not slow. An attempt that becomes slow frees its slot. */
const MAX_QUICK = 64;
/** No attempt to a slow webhook starts while this many slow attempts are in progress. */
const MAX_SLOW = 32;
/** How many slow webhooks, and accounts with their turns, are remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * Sends due deliveries. Accounts take turns, and so do an account's webhooks, so no delivery waits for
 * another account's receivers. Several instances can run it. The instance that commits the lease sends.
 */
@Injectable()
export class Deliveries extends Job {
  private readonly failures = new Logger(Deliveries.name);
  private readonly inProgress = new Map<Delivery, Promise<void>>();
  /** Webhooks whose last attempt was slow. Each has one attempt in progress at a time. */
  private readonly slow = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  private readonly stopping = new AbortController();
  private readonly accounts: RoundRobin<Delivery>;
  private readonly webhooks = new LRUCache<AccountId, RoundRobin<Delivery>>({
    max: MAX_REMEMBERED,
  });
  /** How long the oldest due delivery has been due, in seconds; undefined while the store does not respond. */
  private overdue: number | undefined;

  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly attempts: DeliveryAttempts,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    super({ interval: 250, pause: 1 });
    this.accounts = new RoundRobin(store, DELIVERIES, PENDING, 'accountId');
    const help = 'How long the oldest due delivery has been waiting';
    metrics.gauge('webhook_oldest_due_seconds', help, () => this.overdue);
  }

  /** Starts due deliveries without waiting for the attempts. */
  async step(): Promise<boolean> {
    const due = { nextAttemptAt: { before: this.afterNow() } };
    this.overdue = undefined;
    const [soonest] = await this.store.list(DELIVERIES, due, SOONEST_FIRST, { limit: 1 });
    const since = soonest?.nextAttemptAt ?? this.clock.now();
    this.overdue = (this.clock.now().getTime() - since.getTime()) / 1000;
    if (!soonest || this.isFull) return false;
    let progress = 0;
    const isMore = await this.accounts.visitNext(async ({ accountId }) => {
      progress += await this.takeTurn(accountId);
      return !this.isFull && !this.isStopping;
    });
    return isMore || progress > 0;
  }

  /** Resolves once all attempts in progress have ended. */
  async waitForAttempts(): Promise<void> {
    while (this.inProgress.size > 0) await Promise.all(this.inProgress.values());
  }

  /** Aborts attempts in progress; another instance repeats them once their leases have expired. */
  override async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await super.beforeApplicationShutdown();
    await this.waitForAttempts();
  }

  /**
   * Visits the account's next webhooks until one has something due.
   *
   * @returns the result of {@link startDue}
   */
  private async takeTurn(accountId: AccountId): Promise<number> {
    const filter = { ...PENDING, accountId };
    const webhooks =
      this.webhooks.get(accountId) ?? new RoundRobin(this.store, DELIVERIES, filter, 'webhook');
    this.webhooks.set(accountId, webhooks);
    let progress = 0;
    const visit = async (delivery: Delivery) => {
      progress += await this.startDue(delivery);
      return progress === 0;
    };
    if (this.freeSlotsOfAccount(accountId) === 0) return 0;
    const { isMidway } = webhooks;
    await webhooks.visitNext(visit);
    if (isMidway && progress === 0) await webhooks.visitNext(visit);
    return progress;
  }

  /** @returns how many deliveries of the webhook were started, failed or postponed */
  private async startDue({ webhook: _id, accountId }: Delivery): Promise<number> {
    const limit = this.freeSlotsOfWebhook(_id, accountId);
    if (limit === 0) return 0;
    const due = { webhook: _id, nextAttemptAt: { before: this.afterNow() } };
    const found = await this.store.list(DELIVERIES, due, SOONEST_FIRST, { limit });
    if (found.length === 0) return 0;
    const [webhook, account] = await Promise.all([
      this.store.find(WEBHOOKS, { _id }),
      this.store.find(TOTALS, { _id: accountId }),
    ]);
    if (!webhook || !account) {
      const pending = { ...PENDING, accountId, webhook: _id };
      return this.commitChange(removeAll(DELIVERIES, pending, DELIVERIES_PER_COMMIT));
    }
    const { term } = webhook;
    if (webhook.status === 'disabled') return this.failEarlierTerms(webhook, term + 1);
    if (account.disabledAt) {
      const nextAttemptAt = new Date(this.clock.now().getTime() + POSTPONE_MS);
      const postponed = setAll(DELIVERIES, due, { nextAttemptAt }, DELIVERIES_PER_COMMIT);
      return this.commitChange(postponed);
    }
    if (found.some((delivery) => delivery.term < term)) return this.failEarlierTerms(webhook, term);
    await Promise.all(found.map((delivery) => this.leaseAndSend(webhook, delivery)));
    return found.length;
  }

  private get isFull(): boolean {
    return (
      this.inProgress.size >= MAX_IN_PROGRESS ||
      this.inProgress.size - this.countSlow() >= MAX_QUICK
    );
  }

  private countSlow(): number {
    const now = this.clock.now();
    return this.countInProgress((one) => this.slow.has(one.webhook) || isSlow(one, now));
  }

  private countInProgress(isCounted: (attempt: Delivery) => boolean): number {
    return [...this.inProgress.keys()].filter(isCounted).length;
  }

  private freeSlotsOfAccount(accountId: AccountId): number {
    return MAX_OF_ACCOUNT - this.countInProgress((one) => one.accountId === accountId);
  }

  private freeSlotsOfWebhook(webhook: string, accountId: AccountId): number {
    const isOfSlow = this.slow.has(webhook);
    const slow = this.countSlow();
    const free = [
      MAX_IN_PROGRESS - this.inProgress.size,
      this.freeSlotsOfAccount(accountId),
      (isOfSlow ? 1 : MAX_OF_WEBHOOK) - this.countInProgress((one) => one.webhook === webhook),
      isOfSlow ? MAX_SLOW - slow : MAX_QUICK - (this.inProgress.size - slow),
    ];
    return Math.max(0, Math.min(...free));
  }

  /** Fails the deliveries created before a term, so a term that starts meanwhile loses none. */
  private async failEarlierTerms(webhook: Webhook, term: number): Promise<number> {
    const { _id, accountId } = webhook;
    const failed = { ...finishedFields('failed'), error: 'webhook_disabled' } as const;
    const earlier = { ...PENDING, accountId, webhook: _id, term: { before: term } };
    const fail = setAll(DELIVERIES, earlier, failed, DELIVERIES_PER_COMMIT);
    const count = await this.commitChange(fail);
    if (count === DELIVERIES_PER_COMMIT) await this.commitChange(dueNow(webhook, this.clock.now()));
    return count;
  }

  private async commitChange(change: Change): Promise<number> {
    const committed = await this.decisions.commit([change]);
    return committed.ok ? committed.affected : 0;
  }

  /** Leases a delivery and starts its attempt. If the lease cannot be committed, another instance was faster. */
  private async leaseAndSend(webhook: Webhook, delivery: Delivery): Promise<void> {
    const lease = leased(delivery, this.clock.now());
    const { ok } = await this.decisions.commit([replace(DELIVERIES, delivery, lease)]);
    if (!ok) return;
    const attempt = this.attempt(webhook, lease)
      .catch((error: Error) => this.failures.error('A delivery attempt failed', error.stack))
      .finally(() => {
        this.inProgress.delete(lease);
        this.wake();
      });
    this.inProgress.set(lease, attempt);
  }

  private async attempt(webhook: Webhook, lease: Delivery): Promise<void> {
    const outcome = await this.attempts.send(webhook, lease, this.stopping.signal);
    if (!outcome) return;
    if (isSlow(lease, this.clock.now())) this.slow.set(webhook._id, true);
    else this.slow.delete(webhook._id);
    const disabled = await this.attempts.finish(lease, outcome);
    if (disabled) await this.failEarlierTerms(disabled, disabled.term + 1);
  }

  private afterNow(): Date {
    return new Date(this.clock.now().getTime() + 1);
  }
}
