import { aPrincipal, aUser, someSigningKeys } from '../../test/builders.js';
import { ModelStore } from '../../test/contract/model-store.js';
import { SIGNING_KEYS } from '../certificates/signing-keys/signing-keys.js';
import { PrometheusMetrics } from '../metrics/prometheus-metrics.js';
import type { Config } from '../shared/config/config.js';
import { newAccountId } from '../shared/ids.js';
import { newTotals, TOTALS } from '../shared/quotas/account-totals.js';
import { insert } from '../storage/changes.js';
import { newWebhook, WEBHOOKS, type Webhook } from '../webhooks/webhook.js';
import { StoreGauges } from './store-gauges.job.js';

const NOW = new Date(0);

describe('StoreGauges', () => {
  const store = new ModelStore();
  const metrics = new PrometheusMetrics();
  const quotas = { clients: 10, projects: 0, licenses: 100, machines: 0 };
  const config = { metricsPort: 1, quotas } as Config;
  const NAMES = /^license_service_((webhook|signing|quota).+)$/gm;
  const values = async () => [...(await metrics.text()).matchAll(NAMES)].map(([, text]) => text);

  it('count what needs an operator, over all accounts, and are unknown before the first count', async () => {
    const job = new StoreGauges(store, config, metrics);
    expect(await values()).toEqual([]);
    const [first, second] = [newTotals(newAccountId()), newTotals(newAccountId())];
    const webhook = (fields: Partial<Webhook>) => {
      const fresh = newWebhook(aPrincipal(aUser()), { url: '', types: [], description: null }, NOW);
      return insert(WEBHOOKS, { ...fresh, secrets: [], ...fields });
    };
    await store.commit([
      insert(TOTALS, { ...first, clientsCount: 3, projectsCount: 1_000 }),
      insert(TOTALS, { ...second, clientsCount: 1, licensesCount: 90 }),
      webhook({}),
      webhook({ failingSince: NOW }),
      webhook({ status: 'disabled', disabledReason: 'gone', failingSince: NOW }),
      webhook({ status: 'disabled', disabledReason: 'request' }),
      insert(SIGNING_KEYS, someSigningKeys()),
      insert(SIGNING_KEYS, someSigningKeys({ isExported: true })),
    ]);
    await job.step();
    expect(await values()).toEqual([
      'webhooks_failing 1',
      'webhooks_disabled 1',
      'signing_keys_unexported 1',
      'quota_use_ratio 0.9',
    ]);
  });
});
