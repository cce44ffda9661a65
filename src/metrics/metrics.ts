export interface Counter {
  inc(by?: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

/** Fixed labels of a gauge. */
export type Labels = Readonly<Record<string, string>>;

export interface Labelled<Metric> {
  /**
   * One series per set of values, in the order of the metric's labels. Values are few and fixed: never a key, token,
   * address, id or caller-supplied text.
   */
  labels(...values: string[]): Metric;
}

/**
 * The metrics of this process, declared where they are counted. Names have base units, without the prefix
 * `license_service_`; counters end in `_total`.
 */
export abstract class Metrics {
  abstract counter(name: string, help: string, ...labels: string[]): Labelled<Counter>;

  /** @param buckets upper bounds, ascending */
  abstract histogram(
    name: string,
    help: string,
    buckets: readonly number[],
    ...labels: string[]
  ): Labelled<Histogram>;

  /** @param read returns the current value whenever the metrics are requested; undefined while it is unknown */
  abstract gauge(name: string, help: string, read: () => number | undefined, labels?: Labels): void;

  /** All metrics in Prometheus' text format. */
  abstract text(): Promise<string>;
}

/** A counter's series for each value of its only label. They start at 0, so the first event is an increase. */
export function countersOf<Value extends string>(
  counter: Labelled<Counter>,
  values: readonly Value[],
): Readonly<Record<Value, Counter>> {
  const series = values.map((value) => [value, counter.labels(value)] as const);
  series.forEach(([, each]) => each.inc(0));
  return Object.fromEntries(series) as Record<Value, Counter>;
}

/** Upper bounds of durations, in seconds. Requests take at most 3 s, license checks a few milliseconds. */
export const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3];

const NOTHING: Counter & Histogram = { inc: () => undefined, observe: () => undefined };
const NO_LABELS = { labels: () => NOTHING };

export const NO_METRICS: Metrics = {
  counter: () => NO_LABELS,
  histogram: () => NO_LABELS,
  gauge: () => undefined,
  text: () => Promise.resolve(''),
};
