import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { ERRORS, type ErrorCode } from '../../shared/errors/error-codes.js';
import type { OverloadReason } from '../../shared/errors/rejected-by.js';
import { toErrorBody } from '../errors/error-body.js';
import { RejectionMetrics } from '../metrics/rejection-metrics.js';
import { NOT_STORED } from '../response-headers.js';
import { addressOf } from '../client-address.js';
import { Connections } from './connections.js';
import { GracefulShutdown } from '../graceful-shutdown.js';
import { EventLoop } from './event-loop.js';
import { Work } from './work.js';
import type { WorkClass } from './work-class.js';
import { WorkClasses } from './work-classes.js';

type Route = FastifyContextConfig;

/** Sampling interval of the concurrency limits, in milliseconds. */
const ADAPT_EVERY = 100;
/** Interval of the log's lines about rejections, in milliseconds. */
const REPORT_EVERY = 1000;
/** Time for deferred work while connections are being accepted, as a share of the time since the last of it. */
const ACCEPTING_SHARE = 1 / 8;
/** Shortest such time, in milliseconds: one admitted request takes about as long. */
const MIN_SHARE = 0.25;
/** Longest queue in which admitted requests wait while connections are being accepted. */
const MAX_DEFERRED = 256;

/** A request that has arrived: its head was read, and nothing else. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
}

interface Deferred {
  readonly handle: () => void;
  /** One is served in each iteration, so that a flood of them leaves time for everything else. */
  readonly isHealthCheck: boolean;
}

/** Rejects requests before any work is done for them while there is more to do than can be done in time. */
@Injectable()
export class LoadShedder implements OnApplicationShutdown {
  private deferred: Deferred[] = [];
  private handledAt = 0;
  private rejected = 0;
  /** By method and path; routes with parameters are not among them. */
  private readonly routes = new Map<string, Route>();
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly config: Config,
    private readonly loop: EventLoop,
    private readonly connections: Connections,
    private readonly classes: WorkClasses,
    private readonly shutdown: GracefulShutdown,
    private readonly metrics: RejectionMetrics,
  ) {}

  /** Protects a server that has no routes yet. */
  protect(fastify: FastifyInstance): void {
    const { server } = fastify;
    this.connections.bound(server);
    fastify.decorateRequest('work', undefined);
    fastify.addHook('onRoute', ({ method, url, config }) => {
      for (const verb of [method].flat()) this.routes.set(`${verb} ${url}`, config ?? {});
    });
    // Before Fastify, in which a rejection costs twice as much.
    const [serve] = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request').on('request', (request, response) => {
      this.receive(request, response, () => serve!.call(server, request, response));
    });
    // Only once its body has arrived, so that slow senders occupy no capacity.
    fastify.addHook('preHandler', (request, _reply, done) => {
      // A file that is not found runs these hooks a second time.
      if (request.work) return done();
      const route: Route = request.routeOptions.config ?? {};
      const workClass = this.classOf(route);
      // The router finds a route by other spellings of its path, too, such as with percent-encoding.
      const isAdmitted =
        workClass === this.classOf(this.routeOf(request.raw)) || workClass.tryAdmit();
      if ((!isAdmitted || workClass.isFull()) && !route.isHealthCheck) {
        return done(new DomainError('OVERLOADED', {}, { rejectedBy: 'capacity' }));
      }
      request.work = new Work(workClass);
      if (!route.isHealthCheck) {
        request.work.hold(workClass.addresses.acquire(addressOf(request)));
      }
      done();
    });
    // All work comes to a response, also where the caller has gone; sending it may take long and is no work.
    fastify.addHook('onSend', (request, reply, _payload, done) => {
      request.work?.finish(reply.raw);
      done();
    });
    this.timers.push(
      setInterval(() => this.classes.adapt(), ADAPT_EVERY).unref(),
      setInterval(() => this.report(fastify), REPORT_EVERY).unref(),
    );
    fastify.addHook('onClose', async () => this.report(fastify));
  }

  onApplicationShutdown(): void {
    this.timers.forEach(clearInterval);
  }

  private receive(request: IncomingMessage, response: ServerResponse, proceed: () => void): void {
    const pipelined = this.connections.begin(request, response);
    if (pipelined === 'ignore') return;
    const arrival = { request, response, route: this.routeOf(request) };
    if (pipelined === 'reject') {
      response.setHeader('Connection', 'close');
      this.reject(arrival, 'TOO_MANY_CONCURRENT_REQUESTS', 'connection');
    } else {
      this.admit(arrival, proceed);
    }
  }

  private admit(arrival: Arrival, proceed: () => void): void {
    const { response, route } = arrival;
    const workClass = this.classOf(route);
    const isAdmitted = workClass.tryAdmit();
    const canWait = workClass !== this.classes.licenseChecks && this.isAccepting();
    const proceedLater = () => {
      if (!response.closed) proceed();
    };
    if (isAdmitted && !canWait) proceed();
    else if (route.isHealthCheck) this.defer(proceedLater, true);
    else if (isAdmitted && this.deferred.length < MAX_DEFERRED) this.defer(proceedLater);
    else this.reject(arrival, 'OVERLOADED', 'capacity');
  }

  /** Whether iterations are kept short for connections: not where license checks themselves are too many. */
  private isAccepting(): boolean {
    return this.loop.isAccepting() && !this.classes.licenseChecks.isOverloaded();
  }

  /** The route of a path as it is spelled in the document; for all others, one without a class. */
  private routeOf({ method, url = '' }: IncomingMessage): Route {
    const [path] = url.split('?', 1);
    return this.routes.get(`${method} ${path}`) ?? {};
  }

  private classOf({ workClass = 'other' }: Route): WorkClass {
    return this.classes[workClass];
  }

  /**
   * Handles something once this iteration of the event loop has read what there is: instant replies let clients
   * resend within the same poll phase, which starves admitted requests.
   */
  private defer(handle: () => void, isHealthCheck = false): void {
    if (this.deferred.push({ handle, isHealthCheck }) > 1) return;
    setImmediate(() => this.handleDeferred());
  }

  private handleDeferred(): void {
    const now = performance.now();
    const share = this.isAccepting() ? (now - this.handledAt) * ACCEPTING_SHARE : Infinity;
    if (share < MIN_SHARE) {
      setImmediate(() => this.handleDeferred());
      return;
    }
    const end = now + share;
    let handled = 0;
    do {
      const { handle, isHealthCheck } = this.deferred[handled++]!;
      handle();
      if (isHealthCheck) break;
    } while (handled < this.deferred.length && performance.now() < end);
    this.handledAt = performance.now();
    this.deferred = this.deferred.slice(handled);
    if (this.deferred.length > 0) setImmediate(() => this.handleDeferred());
  }

  private reject(arrival: Arrival, code: ErrorCode, reason: OverloadReason): void {
    this.defer(() => {
      this.rejected += 1;
      this.metrics.countOverload(reason, arrival.route.workClass);
      this.sendRejection(arrival, code);
    });
  }

  /** Without the headers for pages: under overload, most of the time and memory goes into rejections. */
  private sendRejection({ request, response, route }: Arrival, code: ErrorCode): void {
    const requestId = randomUUID();
    const { status, retryAfter } = ERRORS[code];
    const body = JSON.stringify(toErrorBody(code, requestId, route.errorShape));
    const { origin } = request.headers;
    response
      .writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': NOT_STORED,
        'X-Content-Type-Options': 'nosniff',
        ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
        'X-Request-Id': requestId,
        ...(origin !== undefined &&
          this.config.corsOrigins.includes(origin) && {
            'Access-Control-Allow-Origin': origin,
            Vary: 'Origin',
          }),
        ...(this.shutdown.hasBegun && { Connection: 'close' }),
      })
      .end(body);
  }

  private report({ log }: FastifyInstance): void {
    const closed = this.connections.takeClosed();
    if (this.rejected === 0 && closed === 0) return;
    this.metrics.countConnections(closed);
    log.warn({ requests: this.rejected, connections: closed }, 'overload: rejected');
    this.rejected = 0;
  }
}
