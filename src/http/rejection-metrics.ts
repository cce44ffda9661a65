import { Injectable } from '@nestjs/common';
import { type Counter, countersOf, type Labelled, Metrics } from '../metrics/metrics.js';
import { Config } from '../shared/config/config.js';
import {
  type DomainError,
  isOverloadReason,
  OVERLOAD_REASONS,
} from '../shared/errors/domain-error.js';
import { WORK_CLASS_NAMES, type WorkClassName } from './route-config.js';

@Injectable()
export class RejectionMetrics {
  private readonly byLimit: Labelled<Counter>;
  private readonly byOverload: Labelled<Counter>;
  private readonly connections: Counter;

  constructor(metrics: Metrics, { limits }: Config) {
    this.byLimit = metrics.counter(
      'rate_limit_rejections_total',
      'Requests rejected by a rate limit',
      'limit',
    );
    this.byOverload = metrics.counter(
      'overload_rejections_total',
      'Requests rejected because too many were in progress',
      'work_class',
      'reason',
    );
    // All counters start at 0, so the first rejection is an increase.
    countersOf(this.byLimit, Object.keys(limits));
    for (const name of WORK_CLASS_NAMES) {
      for (const reason of OVERLOAD_REASONS) this.byOverload.labels(name, reason).inc(0);
    }
    this.connections = metrics
      .counter('rejected_connections_total', 'Connections closed because too many were open')
      .labels();
  }

  /** Counts a rejection sent by the exception filter. */
  count({ rejectedBy }: DomainError, workClass: WorkClassName = 'other'): void {
    if (!rejectedBy) return;
    if (isOverloadReason(rejectedBy)) this.byOverload.labels(workClass, rejectedBy).inc();
    else this.byLimit.labels(rejectedBy).inc();
  }

  countConnection(): void {
    this.connections.inc();
  }
}
