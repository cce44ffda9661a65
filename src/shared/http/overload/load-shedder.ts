import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Config } from '../../config/config.js';
import type { ErrorCode } from '../../errors/error-codes.js';
import type { ErrorShape } from '../../errors/error-shape.decorator.js';
import { addressOf } from '../client-address.decorator.js';
import { Connections } from '../connections.js';
import { GracefulShutdown } from '../graceful-shutdown.js';
import { pathOf, Rejections, type HealthCheck } from './rejections.js';
import { Work } from './work.js';
import type { WorkConfig } from './work-class.js';
import { WorkClasses } from './work-classes.js';

/** Sampling interval of the concurrency limits, in milliseconds. */
const ADAPT_EVERY = 100;
/** Interval of the log's lines about rejections, in milliseconds. */
const REPORT_EVERY = 1000;
/** Longest part of a tick that is spent on rejections, in milliseconds. */
const REJECTION_BUDGET = 20;

type Rejected = readonly [IncomingMessage, ServerResponse, ErrorCode];

/** Rejects requests before any work is done for them while there is more to do than can be done in time. */
@Injectable()
export class LoadShedder implements OnApplicationShutdown {
  private readonly rejections: Rejections;
  private readonly licenseChecks = new Set<string>();
  private waiting: Rejected[] = [];
  private rejected = 0;
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    { corsOrigins }: Config,
    private readonly shutdown: GracefulShutdown,
    private readonly connections: Connections,
    private readonly classes: WorkClasses,
  ) {
    this.rejections = new Rejections(corsOrigins);
  }

  /** Lets a health check be answered under overload. */
  answerHealth(path: string, check: HealthCheck): void {
    this.rejections.healthChecks.set(path, check);
  }

  /** Protects a server that has no routes yet. */
  protect(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, config = {} }) => {
      const { workClass, errorShape } = config as WorkConfig & { errorShape?: ErrorShape };
      if (workClass === 'licenseChecks') this.licenseChecks.add(url);
      if (errorShape) this.rejections.errorShapes.set(url, errorShape);
    });
    this.countWork(fastify);
    this.connections.bound(fastify.server);
    const server: Server = fastify.server;
    const [serve] = server.listeners('request') as [RequestListener];
    server.removeAllListeners('request').on('request', (request, response) => {
      const pipelined = this.connections.begin(request, response);
      if (pipelined === 'ignore') return;
      if (pipelined === 'reject') this.reject(request, response, 'TOO_MANY_CONCURRENT_REQUESTS');
      else if (this.classOf(request).tryAdmit()) serve(request, response);
      else this.reject(request, response, 'OVERLOADED');
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

  private classOf(request: IncomingMessage) {
    return this.classes[this.licenseChecks.has(pathOf(request)) ? 'licenseChecks' : 'other'];
  }

  private countWork(fastify: FastifyInstance): void {
    fastify.decorateRequest('work', undefined);
    // Only once its body has arrived, so that slow senders occupy no capacity.
    fastify.addHook('preHandler', (request, _reply, done) => {
      const workClass = this.classOf(request.raw);
      request.work = new Work(workClass);
      request.work.hold(workClass.addresses.acquire(addressOf(request)));
      done();
    });
    // All work comes to a response, also where the caller has gone; sending it may take long and is no work.
    fastify.addHook('onSend', (request, reply, _payload, done) => {
      request.work?.finish(reply.raw);
      done();
    });
  }

  /**
   * Sends rejections only once the tick has read what there is, and only for a part of each tick. Instant replies let
   * clients resend within the same poll phase, which starves admitted requests.
   */
  private reject(...rejected: Rejected): void {
    if (this.waiting.push(rejected) === 1) setImmediate(() => this.sendRejections());
  }

  private sendRejections(): void {
    const end = performance.now() + REJECTION_BUDGET;
    let sent = 0;
    while (sent < this.waiting.length && performance.now() < end) {
      const [request, response, code] = this.waiting[sent++]!;
      if (this.shutdown.hasBegun || code !== 'OVERLOADED')
        response.setHeader('Connection', 'close');
      this.rejections.reject(request, response, code);
    }
    this.rejected += sent;
    this.waiting = this.waiting.slice(sent);
    if (this.waiting.length > 0) setImmediate(() => this.sendRejections());
  }

  private report({ log }: FastifyInstance): void {
    const closed = this.connections.takeClosed();
    if (this.rejected === 0 && closed === 0) return;
    log.warn({ requests: this.rejected, connections: closed }, 'overload: rejected');
    this.rejected = 0;
  }
}
