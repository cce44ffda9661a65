import type { Config } from '../shared/config/config.js';
import { type Metrics, NO_METRICS } from './metrics.js';

/** The metrics of a process. Where they are off, their library is not loaded, and nothing is counted. */
export async function createMetrics({
  metricsPort,
}: Pick<Config, 'metricsPort'>): Promise<Metrics> {
  if (metricsPort === undefined) return NO_METRICS;
  const { PrometheusMetrics } = await import('./prometheus-metrics.js');
  return new PrometheusMetrics();
}
