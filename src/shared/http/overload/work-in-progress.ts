import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    isInWork: boolean;
  }
}

/** Requests that are worked on at once; more would only wait for the store, and hold memory meanwhile. */
const AT_ONCE = 256;

/** Counts the requests that are worked on. */
@Injectable()
export class WorkInProgress {
  private requests = 0;

  /** How many there are. */
  get size(): number {
    return this.requests;
  }

  hasRoom(): boolean {
    return this.requests < AT_ONCE;
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
        request.isInWork = false;
      }
      done();
    });
  }
}
