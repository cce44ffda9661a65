import { Injectable } from '@nestjs/common';
import { BackgroundWorker } from '../shared/background-worker.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { NEWEST_FIRST } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import { insert, replace } from '../storage/changes.js';
import { RoundRobin } from '../storage/round-robin.js';
import { Store } from '../storage/store.js';
import { Backlogs } from './backlogs.service.js';
import { DELIVERIES, newDelivery } from './delivery.js';
import { DeliveriesWorker } from './deliveries.worker.js';
import { type Message, MESSAGES } from './message.js';
import { gets, MAX_WEBHOOKS, type Webhook, WEBHOOKS } from './webhook.js';

/** Messages of an account that its turn hands on. */
const BATCH_SIZE = 20;
const PENDING = { status: 'pending' } as const;
const BY_ID = { by: '_id', direction: 'asc' } as const;

/** Hands messages on to the webhooks of their account, the accounts in turns. Any number of instances do. */
@Injectable()
export class HandingOn extends BackgroundWorker {
  private readonly accounts: RoundRobin<Message>;

  constructor(
    private readonly store: Store,
    private readonly deliveries: DeliveriesWorker,
    private readonly backlogs: Backlogs,
    private readonly clock: Clock,
  ) {
    super({ interval: 250, pause: 1 });
    this.accounts = new RoundRobin(store, MESSAGES, PENDING, 'accountId');
  }

  async step(): Promise<boolean> {
    let handedOn = 0;
    const isMore = await this.accounts.round(async ({ accountId }) => {
      handedOn += await this.handOnSome(accountId);
      return !this.isStopping;
    });
    if (handedOn > 0) this.deliveries.wake();
    return isMore || handedOn > 0;
  }

  private async handOnSome(accountId: AccountId): Promise<number> {
    const ofAccount = { ...PENDING, accountId };
    const messages = await this.store.list(MESSAGES, ofAccount, BY_ID, { limit: BATCH_SIZE });
    // Read after the messages: a webhook that was there before a message gets it.
    const webhooks = await this.store.list(WEBHOOKS, { accountId }, NEWEST_FIRST, {
      limit: MAX_WEBHOOKS,
    });
    const counts = await Promise.all(messages.map((message) => this.handOn(message, webhooks)));
    await this.backlogs.note(
      accountId,
      counts.reduce((sum, count) => sum + count, 0),
    );
    return messages.length;
  }

  /** The number of its deliveries. Where the commit fails, another instance has handed it on. */
  private async handOn(message: Message, webhooks: readonly Webhook[]): Promise<number> {
    const { only, type } = message;
    const receivers = webhooks.filter((webhook) =>
      only ? webhook._id === only && webhook.status === 'enabled' : gets(webhook, type),
    );
    const now = this.clock.now();
    await this.store.commit([
      replace(MESSAGES, message, { ...message, status: 'handed_on' }),
      ...receivers.map((webhook) => insert(DELIVERIES, newDelivery(webhook, message, now))),
    ]);
    return receivers.length;
  }
}
