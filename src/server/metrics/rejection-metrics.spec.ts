import { Exposition } from '../../../test/exposition.js';
import type { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { PrometheusMetrics } from '../../shared/metrics/prometheus-metrics.js';
import { RejectionMetrics } from './rejection-metrics.js';

describe('RejectionMetrics', () => {
  it('counts a rejection by what rejects, whatever the code of its error', async () => {
    const metrics = new PrometheusMetrics();
    const config = { limits: { refresh: {} } } as unknown as Config;
    const rejections = new RejectionMetrics(metrics, config);
    rejections.count(new DomainError('TOO_MANY_REQUESTS', {}, { rejectedBy: 'account' }));
    rejections.count(new DomainError('OVERLOADED', {}, { rejectedBy: 'refresh' }));
    const text = new Exposition(await metrics.text());

    const overload = { work_class: 'other', reason: 'account' };
    expect(text.valueOf('license_service_overload_rejections_total', overload)).toBe(1);
    const limit = { limit: 'refresh' };
    expect(text.valueOf('license_service_rate_limit_rejections_total', limit)).toBe(1);
  });
});
