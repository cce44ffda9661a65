import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

/** How often it looks where a turn begins, in milliseconds. */
const LOOK_EVERY = 10;
/** How long requests are begun in one turn, in milliseconds: a burst is served, at the price of waiting. */
const LONGEST_TURN = 200;
/** The same under overload: what is begun then shall not wait behind a queue that never ends. */
const SHORT_TURN = 8;
/** How long nothing must have been refused for the overload to be over, in milliseconds. */
const CALM = 1000;
/** So many are begun in each turn: where nobody queues, a turn that stalled is no overload. */
const LEAST_BEGUN = 64;
/** The same under overload. */
const LEAST_UNDER_OVERLOAD = 16;

/**
 * Watches the turns of the event loop, in each of which Node serves what arrived during the one before: the
 * longer one gets, the longer all of the next one waits.
 */
@Injectable()
export class EventLoop implements OnModuleInit, OnApplicationShutdown {
  private turnedAt = performance.now();
  private calmAt = 0;
  private begun = 0;
  private timer: NodeJS.Timeout | undefined;

  onModuleInit(): void {
    this.timer = setInterval(() => {
      this.turnedAt = performance.now();
      this.begun = 0;
    }, LOOK_EVERY).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Counts one more request; false where this turn has served for so long that it should not begin it. */
  hasTime(): boolean {
    this.begun += 1;
    if (this.begun <= LEAST_UNDER_OVERLOAD) return true;
    const now = performance.now();
    const [least, longest] =
      now < this.calmAt ? [LEAST_UNDER_OVERLOAD, SHORT_TURN] : [LEAST_BEGUN, LONGEST_TURN];
    if (this.begun <= least || now - this.turnedAt <= longest) return true;
    this.hurry();
    return false;
  }

  /** There is an overload: turns are short until there was none for a second. */
  hurry(): void {
    this.calmAt = performance.now() + CALM;
  }
}
