import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { ERRORS, type ErrorCode } from '../../shared/errors/error-codes.js';
import type { OverloadReason } from '../../shared/errors/rejected-by.js';
import { toErrorBody } from '../errors/error-body.js';
import { RejectionMetrics } from '../rejection-metrics.js';
import { NOT_STORED } from '../response-headers.js';
import { addressOf } from '../client-address.js';
import { Connections } from './connections.js';
import { GracefulShutdown } from '../graceful-shutdown.js';
import { RequestQueues } from './request-queues.js';
import { Work } from './work.js';
import type { WorkClass } from './work-class.js';
import { WorkClasses } from './work-class.js';

type Route = FastifyContextConfig;
type Response = ServerResponse<IncomingMessage>;

/** Interval of the log's lines about rejections, in milliseconds. */
const REPORT_EVERY = 1000;

/** Rejects requests before any work is done for them while there is more to do than can be done in time. */
@Injectable()
export class LoadShedder implements OnApplicationShutdown {
  private rejected = 0;
  /** By method and path; routes with parameters are not among them. */
  private readonly routes = new Map<string, Route>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: Config,
    private readonly queues: RequestQueues,
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
      this.receive(response, () => serve!.call(server, request, response));
    });
    // Only once its body has arrived, so that slow senders occupy no capacity.
    fastify.addHook('preHandler', (request, _reply, done) => {
      // A file that is not found runs these hooks a second time.
      if (request.work) return done();
      // The router also accepts other spellings of a path, which were counted as another class: this one may be full.
      const workClass = this.classOf(request.routeOptions.config);
      if (workClass.isFull()) {
        return done(new DomainError('OVERLOADED', {}, { rejectedBy: 'capacity' }));
      }
      request.work = new Work(workClass);
      request.work.hold(workClass.addresses.acquire(addressOf(request)));
      done();
    });
    // All work comes to a response, also where the caller has gone; sending it may take long and is no work.
    fastify.addHook('onSend', (request, reply, _payload, done) => {
      request.work?.finish(reply.raw);
      done();
    });
    this.timer = setInterval(() => this.report(fastify), REPORT_EVERY).unref();
    fastify.addHook('onClose', async () => this.report(fastify));
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private receive(response: Response, proceed: () => void): void {
    const pipelined = this.connections.begin(response);
    if (pipelined === 'ignore') return;
    const route = this.routeOf(response.req);
    const workClass = this.classOf(route);
    if (pipelined === 'reject') {
      response.setHeader('Connection', 'close');
      this.reject(response, route, 'TOO_MANY_CONCURRENT_REQUESTS', 'connection');
    } else if (!workClass.hasCapacity()) {
      this.reject(response, route, 'OVERLOADED', 'capacity');
    } else {
      workClass.waiting += 1;
      this.queues.add(route.workClass ?? 'other', () => {
        workClass.waiting -= 1;
        if (!response.closed) proceed();
      });
    }
  }

  /** The route of a path as it is spelled in the document; for all others, one without a class. */
  private routeOf({ method, url = '' }: IncomingMessage): Route {
    const [path] = url.split('?', 1);
    return this.routes.get(`${method} ${path}`) ?? {};
  }

  private classOf({ workClass = 'other' }: Route): WorkClass {
    return this.classes[workClass];
  }

  private reject(response: Response, route: Route, code: ErrorCode, reason: OverloadReason): void {
    this.queues.add('rejections', () => {
      this.rejected += 1;
      this.metrics.countOverload(reason, route.workClass);
      this.sendRejection(response, route, code);
    });
  }

  /** Without the headers for pages: under overload, most of the time and memory goes into rejections. */
  private sendRejection(response: Response, route: Route, code: ErrorCode): void {
    const requestId = randomUUID();
    const { status, retryAfter } = ERRORS[code];
    const body = JSON.stringify(toErrorBody(code, requestId, route.errorShape));
    const { origin } = response.req.headers;
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
