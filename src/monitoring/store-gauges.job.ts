import { Injectable } from '@nestjs/common';
import { SIGNING_KEYS } from '../certificates/signing-keys/signing-keys.js';
import { Job } from '../jobs/job.js';
import { Metrics } from '../metrics/metrics.js';
import { Config } from '../shared/config/config.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { pagesOf, Store } from '../storage/store.js';
import { WEBHOOKS } from '../webhooks/webhook.js';

/** Page size, in accounts. */
const PAGE_SIZE = 1_000;

/** Gauges over all accounts, read in the background, so no request for metrics waits for the store. */
@Injectable()
export class StoreGauges extends Job {
  private failing: number | undefined;
  private disabled: number | undefined;
  private unexported: number | undefined;
  private quotaUse: number | undefined;

  constructor(
    private readonly store: Store,
    private readonly config: Config,
    metrics: Metrics,
  ) {
    super({ interval: 60_000, pause: 20 });
    const ofFailing = 'Enabled webhooks whose last delivery failed';
    metrics.gauge('webhooks_failing', ofFailing, () => this.failing);
    const ofDisabled = 'Webhooks that the service has disabled';
    metrics.gauge('webhooks_disabled', ofDisabled, () => this.disabled);
    const ofKeys = 'Accounts whose current signing keys were never exported';
    metrics.gauge('signing_keys_unexported', ofKeys, () => this.unexported);
    const ofQuotas = 'Largest used share of a quota for clients, projects or licenses';
    metrics.gauge('quota_use_ratio', ofQuotas, () => this.quotaUse);
  }

  async step(): Promise<boolean> {
    if (this.config.metricsPort === undefined) return false;
    const { store } = this;
    this.failing = await store.count(WEBHOOKS, { status: 'enabled', failingSince: { not: null } });
    const byService = { oneOf: ['gone', 'failing', 'backlog'] } as const;
    this.disabled = await store.count(WEBHOOKS, { status: 'disabled', disabledReason: byService });
    this.unexported = await store.count(SIGNING_KEYS, { isExported: false });
    this.quotaUse = await this.findLargestUse();
    return false;
  }

  private async findLargestUse(): Promise<number> {
    const { clients, projects, licenses } = this.config.quotas;
    const use = (count: number, quota: number) => (quota === 0 ? 0 : count / quota);
    let largest = 0;
    for await (const page of pagesOf(this.store, TOTALS, {}, '_id', PAGE_SIZE)) {
      for (const { clientsCount, projectsCount, licensesCount } of page) {
        const uses = [use(clientsCount, clients), use(projectsCount, projects)];
        largest = Math.max(largest, ...uses, use(licensesCount, licenses));
      }
      if (this.isStopping) break;
      await this.pauseStep();
    }
    return largest;
  }
}
