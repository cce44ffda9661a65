import { Injectable } from '@nestjs/common';
import { BackgroundWorker } from '../shared/background-worker.js';
import { type Counter, countersOf, Metrics } from '../metrics/metrics.js';
import { Clock } from '../shared/time/clock.js';
import { Store } from '../storage/store.js';
import { DELIVERIES, type Outcome } from './delivery.js';

const SOONEST_FIRST = { by: 'nextAttemptAt', direction: 'asc' } as const;

/** Counts attempts by their outcome, and samples for how long deliveries are due. */
@Injectable()
export class DeliveryMetrics extends BackgroundWorker {
  private readonly attempts: Readonly<Record<'delivered' | 'failed', Counter>>;
  private overdue = 0;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    super({ interval: 15_000, pause: 0 });
    const name = 'webhook_attempts_total';
    const counter = metrics.counter(name, 'Attempts to deliver events to webhooks', 'outcome');
    this.attempts = countersOf(counter, ['delivered', 'failed']);
    const help = 'Time for which the pending delivery that is due longest has been due';
    metrics.gauge('webhook_oldest_due_seconds', help, () => this.overdue);
  }

  count({ error }: Outcome): void {
    this.attempts[error ? 'failed' : 'delivered'].inc();
  }

  async step(): Promise<false> {
    const [oldest] = await this.store.list(DELIVERIES, { stage: 'due' }, SOONEST_FIRST, {
      limit: 1,
    });
    const due = oldest?.nextAttemptAt?.getTime() ?? Infinity;
    this.overdue = Math.max(0, this.clock.now().getTime() - due) / 1000;
    return false;
  }
}
