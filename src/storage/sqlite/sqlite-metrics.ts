import { type Histogram, type Metrics, NO_METRICS } from '../../metrics/metrics.js';
import { operationDurations } from '../store-metrics.js';

/** Upper bounds of the number of writes that share a commit. */
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64];

/** Measures reads, group commits and the writes in them. Times are milliseconds of performance.now(). */
export class SqliteMetrics {
  private readonly durations;
  private readonly groupSizes: Histogram;

  constructor(private readonly metrics: Metrics = NO_METRICS) {
    this.durations = operationDurations(metrics, 'sqlite', ['read', 'write', 'commit']);
    this.groupSizes = metrics
      .histogram('sqlite_group_commit_writes', 'Writes that shared a commit', GROUP_SIZES)
      .labels();
  }

  /** @param begin of the commit's transaction */
  committed(writes: readonly { readonly queuedAt: number }[], begin: number): void {
    const now = performance.now();
    this.groupSizes.observe(writes.length);
    this.durations.commit.observe((now - begin) / 1000);
    for (const { queuedAt } of writes) this.durations.write.observe((now - queuedAt) / 1000);
  }

  /** @param begin of the read, including the wait for its turn */
  read(begin: number): void {
    this.durations.read.observe((performance.now() - begin) / 1000);
  }

  waitingWrites(count: () => number): void {
    this.metrics.gauge('sqlite_waiting_writes', 'Writes that wait for a commit', count);
  }

  waitingReads(count: () => number): void {
    this.metrics.gauge('sqlite_waiting_reads', 'Reads that wait for their turn', count);
  }
}
