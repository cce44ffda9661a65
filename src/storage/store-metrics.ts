import fs from 'node:fs';
import path from 'node:path';
import { DURATIONS, type Histogram, type Metrics, NO_METRICS } from '../metrics/metrics.js';

/** Upper bounds of the number of commits sharing a transaction. */
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64];

/** An empty file next to the store, written after each verified backup. */
export const lastBackupOf = (file: string) => `${file}.last-backup`;

type Operation = 'read' | 'commit';

/** Measures the operations of an engine, including the time they wait. */
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
  observeDuration(operation: Operation, begin: number): void {
    this.durations[operation].observe((performance.now() - begin) / 1000);
  }

  observeBatch(commits: number): void {
    this.batchSizes.observe(commits);
  }

  /** The file of a SQLite store, and the disk it is on. */
  file(name: string): void {
    this.metrics.gauge('store_bytes', 'Size of the SQLite file', () => fs.statSync(name).size);
    this.metrics.gauge('store_disk_free_bytes', 'Free space on the disk of the SQLite file', () => {
      const { bavail, bsize } = fs.statfsSync(path.dirname(name));
      return bavail * bsize;
    });
    this.metrics.gauge(
      'last_backup_seconds',
      'Time of the last backup, in seconds since 1970',
      () => {
        const mark = fs.statSync(lastBackupOf(name), { throwIfNoEntry: false });
        return mark === undefined ? undefined : mark.mtimeMs / 1000;
      },
    );
  }

  gaugeWaiting(operations: 'reads' | 'commits', count: () => number): void {
    const help = `${operations === 'reads' ? 'Reads' : 'Commits'} waiting in the store queue`;
    this.metrics.gauge(`store_waiting_${operations}`, help, count);
  }
}
