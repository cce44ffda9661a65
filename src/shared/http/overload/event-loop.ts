import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

/** Shortest tick that is told apart, in milliseconds. */
const RESOLUTION = 10;

/**
 * The ticks of the event loop. In each, Node serves the requests that arrived during the one before, so the longer
 * a tick gets, the longer every request of the next one waits.
 */
@Injectable()
export class EventLoop implements OnModuleInit, OnApplicationShutdown {
  /** Number of the current tick. */
  tick = 0;
  private startedAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  onModuleInit(): void {
    this.timer = setInterval(() => {
      this.tick += 1;
      this.startedAt = performance.now();
    }, RESOLUTION).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** How long the current tick has taken, in milliseconds. */
  elapsed(): number {
    return performance.now() - this.startedAt;
  }
}
