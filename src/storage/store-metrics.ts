import {
  DURATIONS,
  type Histogram,
  type Labelled,
  type Metrics,
} from '../shared/metrics/metrics.js';

/** Durations of the operations of an engine, as their callers wait for them; the one label is the operation. */
export function operationDurations(
  metrics: Metrics,
  engine: 'sqlite' | 'mongodb',
): Labelled<Histogram> {
  const durations = metrics.histogram(
    'store_operation_duration_seconds',
    'Time that an operation of the store took, with its wait for a connection, a lock or a group commit',
    DURATIONS,
    'engine',
    'operation',
  );
  return { labels: (operation) => durations.labels(engine, operation) };
}
