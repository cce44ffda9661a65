import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { OBJECT_ID_PATTERN } from '../shared/ids.js';
import {
  type Counter,
  DURATIONS,
  type Histogram,
  type Labelled,
  type Metrics,
} from '../metrics/metrics.js';
import { addressOf } from './client-address.js';
import { onClosed } from './capacity.js';

/** Stands for all requests without a route. */
const NO_ROUTE = 'none';

/** Logs, counts and measures each request once: when its response has been sent or the caller has disconnected. */
export class RequestLog extends LogController {
  private readonly requests: Labelled<Counter>;
  private readonly durations: Labelled<Histogram>;

  constructor(metrics: Metrics) {
    super();
    this.requests = metrics.counter(
      'http_requests_total',
      'HTTP requests',
      'method',
      'route',
      'status',
    );
    this.durations = metrics.histogram(
      'http_request_duration_seconds',
      'Time from receiving the request headers to sending the response or noticing that the caller is gone',
      DURATIONS,
      'method',
      'route',
    );
  }

  /** Paths and queries are not logged, because callers put license keys and tokens into them. */
  logWhenClosed(request: FastifyRequest, reply: FastifyReply): void {
    onClosed(reply.raw, () => {
      if (request.isRejected) return;
      const { method } = request;
      const route = request.routeOptions.url;
      const ms = reply.elapsedTime;
      const isSent = reply.raw.writableFinished;
      const status = isSent ? String(reply.statusCode) : 'aborted';
      this.requests.labels(method, route ?? NO_ROUTE, status).inc();
      this.durations.labels(method, route ?? NO_ROUTE).observe(ms / 1000);
      request.log.info(
        {
          method,
          route,
          id: idOf(request.params),
          ...(isSent ? { status: reply.statusCode } : { aborted: true }),
          ms: Math.round(ms * 10) / 10,
          ip: addressOf(request),
        },
        'request',
      );
    });
  }

  override incomingRequest(): void {
    // Logged once its response is closed.
  }

  override requestCompleted(): void {
    // Logged once its response is closed.
  }

  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    const { code } = error as NodeJS.ErrnoException;
    // The caller has disconnected, which is also logged.
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE') super.streamError(error, request, reply);
  }
}

/** The path parameter `:id` if it is an object id; anything else could be a license key. */
function idOf(params: unknown): string | undefined {
  const { id } = (params ?? {}) as { id?: string };
  return id !== undefined && OBJECT_ID_PATTERN.test(id) ? id : undefined;
}
