import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the work for it began, in milliseconds of the process's own clock; undefined where none is under way. */
    workBeganAt: number | undefined;
  }
}

/** Requests that are worked on at once, however quick they are: what they hold of memory is bounded. */
const MOST_AT_ONCE = 256;
/** So many are not too many, however long each takes. */
const FEW = 32;
/** How often it looks at what was answered meanwhile, in milliseconds. */
const LOOK_EVERY = 100;
/** What takes longer is slow, in milliseconds: less than half of the promise, as having less work takes a while. */
const SLOW = 200;
/** Where more than this share of the answers was slow, there shall be less work at once; else there may be more. */
const SLOW_SHARE = 1 / 20;
const LESS = 1 / 2;
const MORE = 16;

/**
 * Counts the requests that are worked on. When the store is slower than they come, there are more and more,
 * and each waits longer: so there may be fewer at once while answers are slow.
 */
@Injectable()
export class WorkInProgress implements OnModuleInit, OnApplicationShutdown {
  private requests = 0;
  private answered = 0;
  private slow = 0;
  private mostAtOnce = MOST_AT_ONCE;
  private timer: NodeJS.Timeout | undefined;

  onModuleInit(): void {
    this.timer = setInterval(() => this.adapt(), LOOK_EVERY).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** How many there are. */
  get size(): number {
    return this.requests;
  }

  hasRoom(): boolean {
    return this.requests < this.mostAtOnce;
  }

  /** Counts those of a server. */
  watch(fastify: FastifyInstance): void {
    fastify.decorateRequest('workBeganAt', undefined);
    // Not before its body is here: whoever sends slowly would keep the others out.
    fastify.addHook('preHandler', (request, _reply, done) => {
      this.requests += 1;
      request.workBeganAt = performance.now();
      done();
    });
    // Whatever is worked on comes to an answer, also where the caller has gone; it may be sent slowly.
    fastify.addHook('onSend', (request, _reply, _payload, done) => {
      if (request.workBeganAt !== undefined) {
        this.requests -= 1;
        this.answered += 1;
        if (performance.now() - request.workBeganAt > SLOW) this.slow += 1;
        request.workBeganAt = undefined;
      }
      done();
    });
  }

  private adapt(): void {
    const isSlow = this.answered === 0 || this.slow > this.answered * SLOW_SHARE;
    if (isSlow && this.requests >= FEW) {
      const atOnce = Math.min(this.requests, this.mostAtOnce);
      this.mostAtOnce = Math.max(FEW, Math.floor(atOnce * LESS));
    } else {
      this.mostAtOnce = Math.min(MOST_AT_ONCE, this.mostAtOnce + MORE);
    }
    this.answered = 0;
    this.slow = 0;
  }
}
