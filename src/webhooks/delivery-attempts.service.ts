import { Injectable } from '@nestjs/common';
import { type Counter, countersOf, Metrics } from '../metrics/metrics.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { Clock } from '../shared/time/clock.js';
import { replace } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import {
  attempted,
  DELIVERIES,
  type Delivery,
  finishedFields,
  MESSAGES,
  type Outcome,
} from './delivery.js';
import { openSecrets, signedHeaders } from './secrets.js';
import { Sender } from './sending/sender.js';
import { afterAttempt, disableWebhook, type Webhook, WEBHOOKS } from './webhook.js';

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'license-management-service',
};

/** Makes delivery attempts and stores their outcomes. */
@Injectable()
export class DeliveryAttempts {
  private readonly counters: Readonly<Record<'delivered' | 'failed', Counter>>;

  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly sender: Sender,
    private readonly dataKeys: DataKeys,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const help = 'Attempts to deliver events to webhooks';
    const counter = metrics.counter('webhook_attempts_total', help, 'outcome');
    this.counters = countersOf(counter, ['delivered', 'failed']);
  }

  /** Sends the message of a delivery; null if the message is gone or the service is stopping. */
  async send(
    webhook: Webhook,
    { event }: Delivery,
    stopping: AbortSignal,
  ): Promise<Outcome | null> {
    const message = await this.store.find(MESSAGES, { _id: event });
    if (!message) return null;
    const { _id, body } = message;
    const now = this.clock.now();
    const secrets = openSecrets(this.dataKeys.sealing, webhook, now);
    const headers = { ...HEADERS, ...signedHeaders(_id, body, secrets, now) };
    return this.sender.send(webhook.url, headers, body, stopping);
  }

  /**
   * Stores an outcome, unless the lease has expired.
   *
   * @returns the webhook if the outcome disabled it, because its pending deliveries must then fail
   */
  async finish(lease: Delivery, outcome: Outcome): Promise<Webhook | undefined> {
    const decide = async () => {
      const [delivery, webhook] = await Promise.all([
        this.store.find(DELIVERIES, { _id: lease._id }),
        this.store.find(WEBHOOKS, { _id: lease.webhook }),
      ]);
      const isLeased = delivery?.nextAttemptAt?.getTime() === lease.nextAttemptAt?.getTime();
      if (!delivery || !webhook || !isLeased) return { result: undefined, changes: [] };
      const now = this.clock.now();
      const after = attempted(delivery, outcome, now);
      // An attempt from an earlier term says nothing about this one.
      const isOfTerm = delivery.term === webhook.term;
      const reached = isOfTerm ? afterAttempt(webhook, outcome, now) : webhook;
      if (reached.status !== webhook.status) {
        const failed = replace(DELIVERIES, delivery, { ...after, ...finishedFields('failed') });
        return { result: webhook, changes: [failed, ...disableWebhook(webhook, reached)] };
      }
      const isChanged = reached !== webhook;
      const changes = [
        replace(DELIVERIES, delivery, after),
        ...(isChanged ? [replace(WEBHOOKS, webhook, reached)] : []),
      ];
      return { result: undefined, changes };
    };
    const disabled = await this.decisions.run<Webhook | undefined>(decide);
    this.counters[outcome.error ? 'failed' : 'delivered'].inc();
    return disabled;
  }
}
