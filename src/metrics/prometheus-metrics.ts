import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Labelled, Metrics } from './metrics.js';

const PREFIX = 'license_service_';

/** Metrics in a registry of their own, with those of the process and of Node. */
export class PrometheusMetrics extends Metrics {
  private readonly registry = new Registry();

  constructor() {
    super();
    collectDefaultMetrics({ register: this.registry });
  }

  counter(name: string, help: string, ...labelNames: string[]): Labelled<Counter.Internal> {
    const registers = [this.registry];
    return keepingSeries(new Counter({ name: PREFIX + name, help, labelNames, registers }));
  }

  histogram(
    name: string,
    help: string,
    buckets: readonly number[],
    ...labelNames: string[]
  ): Labelled<Histogram.Internal<string>> {
    const registers = [this.registry];
    const options = { name: PREFIX + name, help, labelNames, buckets: [...buckets], registers };
    return keepingSeries(new Histogram(options));
  }

  gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({
      name: PREFIX + name,
      help,
      collect: () => gauge.set(read()),
      registers: [this.registry],
    });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}

/** Keeps each series: the library builds an object and a string to look one up. */
function keepingSeries<Metric>(metric: Labelled<Metric>): Labelled<Metric> {
  const series = new Map<string, Metric>();
  return {
    labels: (...values) => {
      const key = values.join('\n');
      let found = series.get(key);
      if (!found) series.set(key, (found = metric.labels(...values)));
      return found;
    },
  };
}
