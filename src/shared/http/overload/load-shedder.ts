import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../config/config.js';
import { ERRORS, type ErrorCode } from '../../errors/error-codes.js';
import type { ErrorShape } from '../../errors/error-shape.decorator.js';
import { toErrorBody } from '../../errors/to-error-body.js';
import { addressOf } from '../client-address.decorator.js';
import { Connections } from '../connections.js';
import { EventLoop } from './event-loop.js';
import { Work } from './work.js';
import type { WorkClass, WorkConfig } from './work-class.js';
import { WorkClasses } from './work-classes.js';

/** Goes on with a request where there is capacity for it; else rejects it. */
type Admit = (request: FastifyRequest, reply: FastifyReply, proceed: () => void) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** What the `onRequest` hook does, for requests without hooks. */
    admit: Admit;
  }
  interface FastifyRequest {
    /** Whether it was rejected before any work was done for it: such requests are counted in the log, not listed. */
    isShed: boolean;
  }
}

/** Sampling interval of the concurrency limits, in milliseconds. */
const ADAPT_EVERY = 100;
/** Interval of the log's lines about rejections, in milliseconds. */
const REPORT_EVERY = 1000;
/** Longest part of an iteration of the event loop that is spent on what was deferred, in milliseconds. */
const DEFERRED_BUDGET = 20;
/** The same while connections are being accepted. */
const ACCEPTING_BUDGET = 0.25;
/** Longest queue in which admitted requests wait while connections are being accepted. */
const MAX_DEFERRED = 64;

interface Deferred {
  readonly handle: () => void;
  /** Whether it goes on with a request, which costs more than to reject one and goes on after it has returned. */
  readonly isWork: boolean;
}

/** Rejects requests before any work is done for them while there is more to do than can be done in time. */
@Injectable()
export class LoadShedder implements OnApplicationShutdown {
  private deferred: Deferred[] = [];
  private rejected = 0;
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly config: Config,
    private readonly loop: EventLoop,
    private readonly connections: Connections,
    private readonly classes: WorkClasses,
  ) {}

  /** Protects a server to which no other hook has been added. */
  protect(fastify: FastifyInstance): void {
    this.connections.bound(fastify.server);
    fastify.decorateRequest('isShed', false);
    fastify.decorateRequest('work', undefined);
    const admit: Admit = (request, reply, proceed) => {
      const pipelined = this.connections.begin(request.raw, reply.raw);
      if (pipelined === 'ignore') {
        reply.hijack();
      } else if (pipelined === 'reject') {
        reply.header('Connection', 'close');
        this.reject(request, reply, 'TOO_MANY_CONCURRENT_REQUESTS');
      } else {
        this.admitTo(this.classOf(request), request, reply, proceed);
      }
    };
    fastify.decorate('admit', admit);
    fastify.addHook('onRequest', admit);
    // Only once its body has arrived, so that slow senders occupy no capacity.
    fastify.addHook('preHandler', (request, _reply, done) => {
      const workClass = this.classOf(request);
      request.work = new Work(workClass);
      if (!configOf(request).isHealthCheck) {
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

  private admitTo(
    workClass: WorkClass,
    request: FastifyRequest,
    reply: FastifyReply,
    proceed: () => void,
  ): void {
    const isAdmitted = workClass.tryAdmit();
    const canWait = workClass === this.classes.other && this.isAccepting();
    if (isAdmitted && !canWait) proceed();
    else if (configOf(request).isHealthCheck) this.defer(proceed, true);
    else if (isAdmitted && this.deferred.length < MAX_DEFERRED) this.defer(proceed, true);
    else this.reject(request, reply, 'OVERLOADED');
  }

  /** Whether iterations are kept short for connections: not where license checks themselves are too many. */
  private isAccepting(): boolean {
    return this.loop.isAccepting() && !this.classes.licenseChecks.isOverloaded();
  }

  private classOf(request: FastifyRequest): WorkClass {
    return this.classes[configOf(request).workClass ?? 'other'];
  }

  /**
   * Handles something once this iteration of the event loop has read what there is, and only for a part of each
   * iteration. Instant replies let clients resend within the same poll phase, which starves admitted requests.
   */
  private defer(handle: () => void, isWork: boolean): void {
    if (this.deferred.push({ handle, isWork }) === 1) setImmediate(() => this.handleDeferred());
  }

  private handleDeferred(): void {
    const budget = this.isAccepting() ? ACCEPTING_BUDGET : DEFERRED_BUDGET;
    const end = performance.now() + budget;
    let handled = 0;
    do {
      const { handle, isWork } = this.deferred[handled++]!;
      handle();
      if (isWork) break;
    } while (handled < this.deferred.length && performance.now() < end);
    this.deferred = this.deferred.slice(handled);
    if (this.deferred.length > 0) setImmediate(() => this.handleDeferred());
  }

  private reject(request: FastifyRequest, reply: FastifyReply, code: ErrorCode): void {
    request.isShed = true;
    this.defer(() => {
      this.rejected += 1;
      this.sendRejection(request, reply, code);
    }, false);
  }

  /** What the error filter would send, at half its cost: under overload, most of the time goes into this. */
  private sendRejection(request: FastifyRequest, reply: FastifyReply, code: ErrorCode): void {
    const { origin } = request.headers;
    if (origin !== undefined && this.config.corsOrigins.includes(origin)) {
      reply.header('Access-Control-Allow-Origin', origin).header('Vary', 'Origin');
    }
    const { status } = ERRORS[code];
    const { always, tooManyRequests } = configOf(request).errorShape ?? {};
    const body =
      status === 429 && tooManyRequests
        ? tooManyRequests
        : { ...always, ...toErrorBody(code, request.id) };
    reply
      .code(status)
      .header('Retry-After', '1')
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify(body));
  }

  private report({ log }: FastifyInstance): void {
    const closed = this.connections.takeClosed();
    if (this.rejected === 0 && closed === 0) return;
    log.warn({ requests: this.rejected, connections: closed }, 'overload: rejected');
    this.rejected = 0;
  }
}

const configOf = ({ routeOptions }: FastifyRequest) =>
  (routeOptions.config ?? {}) as WorkConfig & { errorShape?: ErrorShape };
