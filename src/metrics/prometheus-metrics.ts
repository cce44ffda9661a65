import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../shared/version.js';
import { type Labelled, type Labels, Metrics } from './metrics.js';

const PREFIX = 'license_service_';

/** Metrics in a separate registry, including process and Node metrics. */
export class PrometheusMetrics extends Metrics {
  private readonly registry = new Registry();

  constructor() {
    super();
    collectDefaultMetrics({ register: this.registry });
    this.gauge('build_info', 'Always 1; the label has the version', () => 1, { version: VERSION });
  }

  counter(name: string, help: string, ...labelNames: string[]): Labelled<Counter.Internal> {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: [this.registry] });
  }

  histogram(
    name: string,
    help: string,
    buckets: readonly number[],
    ...labelNames: string[]
  ): Labelled<Histogram.Internal<string>> {
    const registers = [this.registry];
    return new Histogram({
      name: PREFIX + name,
      help,
      labelNames,
      buckets: [...buckets],
      registers,
    });
  }

  gauge(name: string, help: string, read: () => number | undefined, labels: Labels = {}): void {
    const gauge: Gauge = new Gauge({
      name: PREFIX + name,
      help,
      labelNames: Object.keys(labels),
      collect() {
        const value = read();
        if (value === undefined) gauge.remove(labels);
        else gauge.set(labels, value);
      },
      registers: [this.registry],
    });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
