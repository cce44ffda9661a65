import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Config } from '../../config/config.js';
import { GracefulShutdown } from '../graceful-shutdown.js';
import { EventLoop } from './event-loop.js';
import { OverloadAnswers } from './overload-answers.js';
import { WorkInProgress } from './work-in-progress.js';

/** How often the log tells how many requests were refused, in milliseconds. */
const TELL_EVERY = 1000;

/** Refuses requests, before anything is done for them, while there is more to do than can be done in time. */
@Injectable()
export class LoadShedder {
  private readonly answers: OverloadAnswers;
  private refusals: [IncomingMessage, ServerResponse][] = [];
  private refused = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    { corsOrigins }: Config,
    private readonly shutdown: GracefulShutdown,
    private readonly loop: EventLoop,
    private readonly work: WorkInProgress,
  ) {
    this.answers = new OverloadAnswers(corsOrigins);
  }

  /** Protects a server that has no routes yet. */
  protect(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => this.answers.learn(route));
    this.work.watch(fastify);
    const server: Server = fastify.server;
    const [serve] = server.listeners('request') as [RequestListener];
    server.removeAllListeners('request').on('request', (request, response) => {
      if (this.canServe() || !this.answers.mayRefuse(request)) {
        serve(request, response);
      } else {
        this.refuseSoon(request, response);
        this.timer ??= setTimeout(() => this.tell(fastify), TELL_EVERY);
      }
    });
    fastify.addHook('onClose', async () => this.tell(fastify));
  }

  private canServe(): boolean {
    // It counts, so it is always asked.
    const hasTime = this.loop.hasTime();
    if (this.work.hasRoom()) return hasTime;
    this.loop.hurry();
    return false;
  }

  /**
   * Refuses once this turn has read what there is. Who is answered sends the next request, and libuv reads on while
   * there are more than a thousand of them, up to 48 times: meanwhile, nobody would be served.
   */
  private refuseSoon(request: IncomingMessage, response: ServerResponse): void {
    if (this.refusals.push([request, response]) === 1) setImmediate(() => this.refuseAll());
  }

  private refuseAll(): void {
    for (const [request, response] of this.refusals) {
      if (this.shutdown.hasBegun) response.setHeader('Connection', 'close');
      this.answers.refuse(request, response);
    }
    this.refused += this.refusals.length;
    this.refusals = [];
  }

  private tell({ log }: FastifyInstance): void {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    log.warn({ requests: this.refused }, 'refused: there was too much to do');
    this.refused = 0;
  }
}
