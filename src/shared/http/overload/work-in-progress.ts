import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    isInWork: boolean;
  }
}

/** Requests that are worked on at once, whatever the pace: what they hold of memory is bounded. */
const MOST_AT_ONCE = 512;
/** So many are not too many, however long each takes. */
const FEW = 64;
/** How often it looks at the pace, in milliseconds. */
const LOOK_EVERY = 100;
/** How much of what is worked on must be answered meanwhile; at that pace, all of it is in 200 ms. */
const SHARE = 1 / 2;

/**
 * Counts the requests that are worked on. When the store is slower than they come, there are more and more,
 * and each waits longer.
 */
@Injectable()
export class WorkInProgress implements OnModuleInit, OnApplicationShutdown {
  private requests = 0;
  private answered = 0;
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
    fastify.decorateRequest('isInWork', false);
    // Not before its body is here: whoever sends slowly would keep the others out.
    fastify.addHook('preHandler', (request, _reply, done) => {
      this.requests += 1;
      request.isInWork = true;
      done();
    });
    // Whatever is worked on comes to an answer, also where the caller has gone; it may be sent slowly.
    fastify.addHook('onSend', (request, _reply, _payload, done) => {
      if (request.isInWork) {
        this.requests -= 1;
        this.answered += 1;
        request.isInWork = false;
      }
      done();
    });
  }

  private adapt(): void {
    const inTime = Math.max(FEW, Math.floor(this.answered / SHARE));
    this.mostAtOnce = this.requests < FEW ? MOST_AT_ONCE : Math.min(MOST_AT_ONCE, inTime);
    this.answered = 0;
  }
}
