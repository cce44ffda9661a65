import type { Histogram, Metrics } from '../../../shared/metrics/metrics.js';
import { operationDurations } from '../../store-metrics.js';

/** Upper bounds of the number of writes that share a commit. */
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Measures group commits and the writes in them. */
export class WriteMetrics {
  private readonly writes: Histogram;
  private readonly commits: Histogram;
  private readonly groupSizes: Histogram;

  /** @param waiting how many writes wait for a commit */
  constructor(metrics: Metrics, waiting: () => number) {
    const durations = operationDurations(metrics, 'sqlite');
    this.writes = durations.labels('write');
    this.commits = durations.labels('commit');
    this.groupSizes = metrics
      .histogram('sqlite_group_commit_writes', 'Writes that shared a commit', GROUP_SIZES)
      .labels();
    metrics.gauge('sqlite_waiting_writes', 'Writes that wait for a commit', waiting);
  }

  /** @param begin of the commit's transaction, in milliseconds of performance.now(), as `queuedAt` */
  committed(writes: readonly { readonly queuedAt: number }[], begin: number): void {
    const now = performance.now();
    this.groupSizes.observe(writes.length);
    this.commits.observe((now - begin) / 1000);
    for (const { queuedAt } of writes) this.writes.observe((now - queuedAt) / 1000);
  }
}
