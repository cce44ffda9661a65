import {
  type Counter,
  DURATIONS,
  type Histogram,
  type Labelled,
  type Metrics,
} from '../../shared/metrics/metrics.js';

/** The status of a response, or that its caller had gone before. */
export type Outcome = { readonly status: number } | { readonly aborted: true };

interface RouteMetrics {
  readonly duration: Histogram;
  readonly requests: Map<number | 'aborted', Counter>;
}

/** Requests without a route: their paths are not told apart. */
const NO_ROUTE = 'none';

/** Counts requests by route, method and status, and measures how long they took. */
export class RequestMetrics {
  private readonly requests: Labelled<Counter>;
  private readonly durations: Labelled<Histogram>;
  /** By method and route, because to look up a series costs more than to count. */
  private readonly routes = new Map<string, RouteMetrics>();

  constructor(metrics: Metrics) {
    this.requests = metrics.counter(
      'http_requests_total',
      'Requests, without those that were rejected by overload before they were read',
      'method',
      'route',
      'status',
    );
    this.durations = metrics.histogram(
      'http_request_duration_seconds',
      'Time from the head of a request until its response was sent, or until its caller was found gone',
      DURATIONS,
      'method',
      'route',
    );
  }

  /**
   * @param route the pattern of the route; undefined for a request without one
   * @param ms milliseconds until the response was sent, or until the caller was found gone
   */
  count(method: string, route: string = NO_ROUTE, outcome: Outcome, ms: number): void {
    const key = `${method} ${route}`;
    let metrics = this.routes.get(key);
    if (!metrics) {
      metrics = { duration: this.durations.labels(method, route), requests: new Map() };
      this.routes.set(key, metrics);
    }
    const status = 'status' in outcome ? outcome.status : 'aborted';
    let requests = metrics.requests.get(status);
    if (!requests) {
      requests = this.requests.labels(method, route, String(status));
      metrics.requests.set(status, requests);
    }
    requests.inc();
    metrics.duration.observe(ms / 1000);
  }
}
