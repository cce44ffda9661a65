import { Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import type { DomainError } from '../../shared/errors/domain-error.js';
import {
  isOverloadReason,
  OVERLOAD_REASONS,
  type OverloadReason,
} from '../../shared/errors/rejected-by.js';
import { type Counter, countersOf, Metrics } from '../../shared/metrics/metrics.js';
import type { RateLimitName } from '../../shared/rate-limit/rate-limit-windows.js';
import { WORK_CLASS_NAMES, type WorkClassName } from '../overload/work-class.js';

@Injectable()
export class RejectionMetrics {
  private readonly byLimit: Readonly<Record<RateLimitName, Counter>>;
  private readonly byOverload: ReadonlyMap<WorkClassName, Record<OverloadReason, Counter>>;
  private readonly connections: Counter;

  constructor(metrics: Metrics, { limits }: Config) {
    const names = Object.keys(limits) as (keyof typeof limits)[];
    this.byLimit = countersOf(
      metrics.counter('rate_limit_rejections_total', 'Requests rejected by a rate limit', 'limit'),
      [...names, 'loginFromKnownAddress', 'loginInSession'],
    );
    const byOverload = metrics.counter(
      'overload_rejections_total',
      'Requests rejected because too many are in progress or waiting',
      'work_class',
      'reason',
    );
    this.byOverload = new Map(
      WORK_CLASS_NAMES.map((name) => {
        const ofClass = { labels: (reason: string) => byOverload.labels(name, reason) };
        return [name, countersOf(ofClass, OVERLOAD_REASONS)];
      }),
    );
    this.connections = metrics
      .counter('rejected_connections_total', 'Connections closed because too many were open')
      .labels();
  }

  /** Counts a rejection that the exception filter responds to. */
  count({ rejectedBy }: DomainError, workClass?: WorkClassName): void {
    if (!rejectedBy) return;
    if (isOverloadReason(rejectedBy)) this.countOverload(rejectedBy, workClass);
    else this.byLimit[rejectedBy].inc();
  }

  countOverload(reason: OverloadReason, workClass: WorkClassName = 'other'): void {
    this.byOverload.get(workClass)![reason].inc();
  }

  countConnections(closed: number): void {
    this.connections.inc(closed);
  }
}
