import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { record, SYSTEM } from '../events/event.js';
import { maxEntries } from '../shared/bounded-cache.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { Clock } from '../shared/time/clock.js';
import { replace } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { DELIVERIES, dueNow } from './delivery.js';
import { disabled, subjectOf, WEBHOOKS } from './webhook.js';

/** Maximum of pending deliveries of an account. */
const MAX_PENDING = 1_000_000;
/** Deliveries of an account that are handed on until those that are pending are counted again. */
const CHECKED_EVERY = 10_000;
const MAX_ACCOUNTS = 10_000;

/** Bounds what is pending: the webhook with the largest backlog of an account is disabled. */
@Injectable()
export class Backlogs {
  private readonly unchecked = new LRUCache<AccountId, number>(maxEntries(MAX_ACCOUNTS));

  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  /** Notes that deliveries were handed on. */
  async note(accountId: AccountId, handedOn: number): Promise<void> {
    const count = (this.unchecked.get(accountId) ?? 0) + handedOn;
    this.unchecked.set(accountId, count % CHECKED_EVERY);
    if (count >= CHECKED_EVERY) await this.bound(accountId);
  }

  /** Disables the webhook with the largest backlog where more than `most` deliveries of the account are pending. */
  async bound(accountId: AccountId, most = MAX_PENDING): Promise<void> {
    const pending = { accountId, status: 'pending' } as const;
    if ((await this.store.count(DELIVERIES, pending, most + 1)) <= most) return;
    const backlogs = [...(await this.store.countBy(DELIVERIES, pending, 'webhook'))];
    const [largest] = backlogs.toSorted(([, one], [, other]) => other - one);
    const decide = async () => {
      const webhook = await this.store.find(WEBHOOKS, { _id: String(largest?.[0]) });
      if (webhook?.status !== 'enabled') return { result: undefined, changes: [] };
      const now = this.clock.now();
      const changes = [
        replace(WEBHOOKS, webhook, disabled(webhook, 'backlog', now)),
        dueNow(webhook._id),
        record('webhook.disabled', subjectOf(webhook), now, {
          data: { reason: 'backlog' },
          by: SYSTEM,
        }),
      ];
      return { result: undefined, changes };
    };
    await this.decisions.run<void>(decide);
  }
}
