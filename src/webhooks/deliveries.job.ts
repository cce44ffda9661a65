import { Injectable, Logger } from '@nestjs/common';
import { Job } from '../jobs/job.js';
import { RoundRobin } from '../jobs/round-robin.js';
import { Metrics } from '../metrics/metrics.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, MAX_BATCH_SIZE, removeAll, replace, setAll } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { DELIVERIES, type Delivery, dueNow, ended, leased } from './delivery.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';
import { Slots } from './slots.js';
import { type Webhook, WEBHOOKS } from './webhook.js';

const PENDING = { status: 'pending' } as const;
const SOONEST_FIRST = { by: 'nextAttemptAt', direction: 'asc' } as const;
/** Milliseconds for which the deliveries of a disabled account are put off. */
const PAUSE = 10 * 60_000;

/**
 * Sends what is due as long as there are free {@link Slots}, taking the webhooks in turn. Several instances may run it: the one
 * that commits the lease sends.
 */
@Injectable()
export class Deliveries extends Job {
  private readonly failures = new Logger(Deliveries.name);
  private readonly slots = new Slots();
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly webhooks: RoundRobin<Delivery>;
  /** Seconds for which the delivery that is due longest has been due. */
  private overdue = 0;

  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly attempts: DeliveryAttempts,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    super({ interval: 250, pause: 1 });
    this.webhooks = new RoundRobin(store, DELIVERIES, PENDING, 'webhook');
    const help = 'Time for which the pending delivery that is due longest has been due';
    metrics.gauge('webhook_oldest_due_seconds', help, () => this.overdue);
  }

  /** Starts what is due; the attempts themselves go on. */
  async step(): Promise<boolean> {
    const due = { nextAttemptAt: { before: this.afterNow() } };
    const [soonest] = await this.store.list(DELIVERIES, due, SOONEST_FIRST, { limit: 1 });
    const since = soonest?.nextAttemptAt ?? this.clock.now();
    this.overdue = (this.clock.now().getTime() - since.getTime()) / 1000;
    if (!soonest || this.slots.isFull) return false;
    let progress = 0;
    const isMore = await this.webhooks.round(async ({ webhook, accountId }) => {
      progress += await this.visit(webhook, accountId);
      return !this.slots.isFull && !this.isStopping;
    });
    return isMore || progress > 0;
  }

  /** Resolves once all attempts in progress have ended. */
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Attempts in progress are given up: another instance repeats them once their leases have ended. */
  override async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await super.beforeApplicationShutdown();
    await this.settle();
  }

  /** @returns how many deliveries of the webhook were started, failed or put off */
  private async visit(_id: string, accountId: AccountId): Promise<number> {
    const free = this.slots.freeFor({ _id, accountId });
    if (free === 0) return 0;
    const due = { webhook: _id, nextAttemptAt: { before: this.afterNow() } };
    const found = await this.store.list(DELIVERIES, due, SOONEST_FIRST, { limit: free });
    if (found.length === 0) return 0;
    const [webhook, account] = await Promise.all([
      this.store.find(WEBHOOKS, { _id }),
      this.store.find(TOTALS, { _id: accountId }),
    ]);
    if (!webhook || !account) {
      return this.change(removeAll(DELIVERIES, { ...PENDING, webhook: _id }));
    }
    const { term } = webhook;
    if (webhook.status === 'disabled') return this.fail(_id, term + 1);
    if (account.disabledAt) {
      const nextAttemptAt = new Date(this.clock.now().getTime() + PAUSE);
      return this.change(setAll(DELIVERIES, due, { nextAttemptAt }));
    }
    if (found.some((delivery) => delivery.term < term)) return this.fail(_id, term);
    await Promise.all(found.map((delivery) => this.start(webhook, delivery)));
    return found.length;
  }

  /** Fails what was created before a term: so nothing of a term that begins meanwhile is lost. */
  private async fail(webhook: string, term: number): Promise<number> {
    const failed = { ...ended('failed'), error: 'webhook_disabled' } as const;
    const earlier = { ...PENDING, webhook, term: { before: term } };
    const count = await this.change(setAll(DELIVERIES, earlier, failed));
    if (count === MAX_BATCH_SIZE) await this.change(dueNow(webhook, this.clock.now()));
    return count;
  }

  private async change(change: Change): Promise<number> {
    const committed = await this.decisions.commit([change]);
    return committed.ok ? committed.affected : 0;
  }

  /** Starts an attempt under a lease; where that cannot be committed, another instance was faster. */
  private async start(webhook: Webhook, delivery: Delivery): Promise<void> {
    const lease = leased(delivery, this.clock.now());
    let attempt: Promise<void> = Promise.resolve();
    this.slots.take(webhook);
    try {
      const { ok } = await this.decisions.commit([replace(DELIVERIES, delivery, lease)]);
      if (ok) attempt = this.attempt(webhook, lease);
    } finally {
      const running = attempt
        .catch((error: Error) => this.failures.error('An attempt failed', error.stack))
        .finally(() => {
          this.slots.free(webhook);
          this.running.delete(running);
          this.wake();
        });
      this.running.add(running);
    }
  }

  private async attempt(webhook: Webhook, lease: Delivery): Promise<void> {
    const sent = await this.attempts.send(webhook, lease, this.stopping.signal);
    if (!sent) return;
    this.slots.setSlow(webhook, sent.isSlow);
    const disabled = await this.attempts.finish(lease, sent);
    if (disabled) await this.fail(disabled._id, disabled.term + 1);
  }

  private afterNow(): Date {
    return new Date(this.clock.now().getTime() + 1);
  }
}
