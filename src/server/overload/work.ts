import type { ServerResponse } from 'node:http';
import { whenClosed } from '../when-closed.js';
import type { WorkClass } from './work-class.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The work for the request; undefined before its body has arrived. */
    work: Work | undefined;
  }
}

/**
 * The work for one request. It occupies capacity until its response is ready, and the permits of its address and
 * account until the response has been read: what they leave unread is bounded, too.
 */
export class Work {
  private startedAt = performance.now();
  private waitingSince: number | undefined;
  private isFinished = false;
  private readonly releases: (() => void)[] = [];

  constructor(private readonly workClass: WorkClass) {
    workClass.inProgress += 1;
  }

  /** Takes over a permit until the work is finished and its response is closed. */
  hold(release: () => void): void {
    this.releases.push(release);
  }

  /** Waits without occupying capacity: neither the number of requests in progress nor their duration counts it. */
  async whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    if (this.isFinished || this.waitingSince !== undefined) return wait();
    const since = (this.waitingSince = performance.now());
    this.workClass.inProgress -= 1;
    try {
      return await wait();
    } finally {
      this.waitingSince = undefined;
      this.startedAt += performance.now() - since;
      if (!this.isFinished) this.workClass.inProgress += 1;
    }
  }

  /** Whether requests of its class were rejected within the last second. */
  isOverloaded(): boolean {
    return this.workClass.isOverloaded();
  }

  /** @param response to be sent next */
  finish(response: ServerResponse): void {
    if (this.isFinished) return;
    this.isFinished = true;
    if (this.waitingSince === undefined) this.workClass.inProgress -= 1;
    this.workClass.complete((this.waitingSince ?? performance.now()) - this.startedAt);
    if (response.closed) this.release();
    else whenClosed(response, () => this.release());
  }

  private release(): void {
    this.releases.forEach((release) => release());
  }
}
