import { DURATIONS, type Histogram, type Metrics } from '../metrics/metrics.js';

/** Durations of the operations of an engine, as their callers wait for them. */
export function operationDurations<Operation extends string>(
  metrics: Metrics,
  engine: 'sqlite' | 'mongodb',
  operations: readonly Operation[],
): Readonly<Record<Operation, Histogram>> {
  const durations = metrics.histogram(
    'store_operation_duration_seconds',
    'Time that an operation of the store took, with its wait for a connection, a lock or a group commit',
    DURATIONS,
    'engine',
    'operation',
  );
  const series = operations.map((operation) => [operation, durations.labels(engine, operation)]);
  return Object.fromEntries(series) as Record<Operation, Histogram>;
}
