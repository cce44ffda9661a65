import { DURATIONS, type Histogram, type Metrics, NO_METRICS } from '../metrics/metrics.js';

/** Upper bounds of the number of commits that share a transaction. */
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64];

type Operation = 'read' | 'commit';

/** Measures the operations of an engine, as their callers wait for them. */
export class StoreMetrics {
  private readonly durations: Readonly<Record<Operation, Histogram>>;
  private readonly batchSizes: Histogram;

  constructor(
    private readonly metrics: Metrics = NO_METRICS,
    engine: 'sqlite' | 'mongodb' = 'sqlite',
  ) {
    const durations = metrics.histogram(
      'store_operation_duration_seconds',
      'Duration of store operations, including time spent waiting',
      DURATIONS,
      'engine',
      'operation',
    );
    this.durations = {
      read: durations.labels(engine, 'read'),
      commit: durations.labels(engine, 'commit'),
    };
    this.batchSizes = metrics
      .histogram('store_batch_commits', 'Commits per transaction', BATCH_SIZES)
      .labels();
  }

  /** @param begin in milliseconds of performance.now() */
  took(operation: Operation, begin: number): void {
    this.durations[operation].observe((performance.now() - begin) / 1000);
  }

  made(commits: number): void {
    this.batchSizes.observe(commits);
  }

  waiting(operations: 'reads' | 'commits', count: () => number): void {
    const help = `${operations === 'reads' ? 'Reads' : 'Commits'} waiting in the store queue`;
    this.metrics.gauge(`store_waiting_${operations}`, help, count);
  }
}
