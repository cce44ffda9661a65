import { Injectable } from '@nestjs/common';
import { type Counter, type Labelled, Metrics } from '../metrics/metrics.js';

/** Counts the failed steps of all background jobs. */
@Injectable()
export class JobFailures {
  private readonly steps: Labelled<Counter>;

  constructor(metrics: Metrics) {
    this.steps = metrics.counter('job_failures_total', 'Failed steps of background jobs', 'name');
  }

  count(job: string, by = 1): void {
    this.steps.labels(job).inc(by);
  }
}
