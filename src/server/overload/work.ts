import type { ServerResponse } from 'node:http';
import { whenClosed } from './connections.js';
import type { WorkClass } from './work-class.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The work for the request; undefined before its body has arrived. */
    work: Work | undefined;
  }
}

/**
 * The work for one request. It takes capacity of its class until its response is ready. It holds the permits of its address
 * and account until the response has been read, which bounds unread responses, too.
 */
export class Work {
  private isFinished = false;
  private readonly releases: (() => void)[] = [];

  constructor(private readonly workClass: WorkClass) {
    workClass.inProgress += 1;
  }

  /** Takes over a permit until the work is finished and its response is closed. */
  hold(release: () => void): void {
    this.releases.push(release);
  }

  /** @param response to be sent next */
  finish(response: ServerResponse): void {
    if (this.isFinished) return;
    this.isFinished = true;
    this.workClass.inProgress -= 1;
    whenClosed(response, () => this.releases.forEach((release) => release()));
  }
}
