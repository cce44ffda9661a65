import { Injectable } from '@nestjs/common';
import { Job } from '../jobs/job.js';
import { RoundRobin } from '../jobs/round-robin.js';
import type { AccountId } from '../shared/ids.js';
import { Clock } from '../shared/time/clock.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { DELIVERIES, type Delivery, dueNow } from './delivery.js';
import { disabledWebhook, disableWebhook, WEBHOOKS } from './webhook.js';

/** Maximum number of pending deliveries per account. */
const MAX_PENDING = 1_000_000;
const PENDING = { status: 'pending' } as const;

/** Limits pending deliveries by disabling the account's webhook with the largest backlog. */
@Injectable()
export class Backlogs extends Job {
  private readonly accounts: RoundRobin<Delivery>;

  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {
    super({ interval: 5 * 60_000, pause: 20 });
    this.accounts = new RoundRobin(store, DELIVERIES, PENDING, 'accountId');
  }

  step(): Promise<boolean> {
    return this.accounts.visitNext(async ({ accountId }) => {
      await this.limitPending(accountId);
      return !this.isStopping;
    });
  }

  /** Disables the webhook with the largest backlog if the account has more than `most` pending deliveries. */
  async limitPending(accountId: AccountId, most = MAX_PENDING): Promise<void> {
    const pending = { ...PENDING, accountId };
    if ((await this.store.count(DELIVERIES, pending, most + 1)) <= most) return;
    const backlogs = [...(await this.store.countBy(DELIVERIES, pending, 'webhook'))];
    const [largest] = backlogs.toSorted(([, one], [, other]) => other - one);
    const decide = async () => {
      const webhook = await this.store.find(WEBHOOKS, { _id: String(largest?.[0]) });
      if (webhook?.status !== 'enabled') return { result: undefined, changes: [] };
      const now = this.clock.now();
      const after = disabledWebhook(webhook, 'backlog', now);
      return {
        result: undefined,
        changes: [...disableWebhook(webhook, after), dueNow(webhook, now)],
      };
    };
    await this.decisions.run<void>(decide);
  }
}
