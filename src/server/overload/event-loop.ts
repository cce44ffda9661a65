import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

/** Shortest tick that is told apart, in milliseconds. */
const RESOLUTION = 10;
/** Longest time between two connections of a burst, in milliseconds. */
const ACCEPT_GAP = 20;

/**
 * The ticks of the event loop. In each, Node serves the requests that arrived during the one before, so the longer
 * a tick gets, the longer every request of the next one waits.
 */
@Injectable()
export class EventLoop implements OnModuleInit, OnApplicationShutdown {
  tick = 0;
  private startedAt = performance.now();
  private acceptedAt = -Infinity;
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

  noteConnection(): void {
    this.acceptedAt = performance.now();
  }

  /**
   * Whether more connections may be waiting to be accepted. libuv accepts one for each iteration of the loop, so
   * iterations must be short until all of them are.
   */
  isAccepting(): boolean {
    return performance.now() - this.acceptedAt < ACCEPT_GAP;
  }

  /** How long the current tick has taken, in milliseconds. */
  elapsed(): number {
    return performance.now() - this.startedAt;
  }
}
