import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { OBJECT_ID_PATTERN } from '../shared/ids/object-id.js';
import { addressOf } from './client-address.js';
import { loggedPath } from './logged-path.js';
import type { Outcome, RequestMetrics } from './metrics/request-metrics.js';
import { whenClosed } from './when-closed.js';

const ABORTED = { aborted: true } as const;

/** Logs and counts each request once, when its response has been sent or its caller has gone. */
export class RequestLog extends LogController {
  /** Requests that are logged, because the connection of a completed one is closed, too. */
  private readonly logged = new WeakSet<FastifyRequest>();

  constructor(private readonly metrics: RequestMetrics) {
    super();
  }

  /** Also those whose connection is closed before their response has been sent: Fastify does not complete those. */
  logAborted(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (request, reply, _payload, done) => {
      if (request.socket.destroyed) this.log(request, reply, ABORTED);
      else whenClosed(reply.raw, () => this.log(request, reply, ABORTED));
      done();
    });
  }

  override incomingRequest(): void {
    // Logged once, with its response.
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    this.log(request, reply, error ? ABORTED : { status: reply.statusCode });
  }

  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_STREAM_PREMATURE_CLOSE') this.log(request, reply, ABORTED);
    else super.streamError(error, request, reply);
  }

  /** Neither a path nor a query is logged: callers put license keys and tokens into them. */
  private log(request: FastifyRequest, reply: FastifyReply, outcome: Outcome): void {
    if (this.logged.has(request)) return;
    this.logged.add(request);
    const { method } = request;
    const route = request.routeOptions.url;
    const ms = reply.elapsedTime;
    this.metrics.count(method, route, outcome, ms);
    request.log.info(
      {
        method,
        route,
        path: route === undefined ? loggedPath(request.url) : undefined,
        id: idOf(request.params),
        ...outcome,
        ms: Math.round(ms * 10) / 10,
        ip: addressOf(request),
      },
      'request',
    );
  }
}

/** The path parameter `:id` where it is an object id; anything else may be a license key. */
function idOf(params: unknown): string | undefined {
  const { id } = (params ?? {}) as { id?: string };
  return id !== undefined && OBJECT_ID_PATTERN.test(id) ? id : undefined;
}
