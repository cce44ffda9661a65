import { Clock } from '../src/shared/time/clock.js';

/** The initial time of a test's clock. */
export const START = '2026-01-31T10:15:00.000Z';

/** A clock that stands still until a test moves it. */
export class FakeClock extends Clock {
  private current = new Date(START);

  now(): Date {
    return new Date(this.current);
  }

  set(time: string): void {
    this.current = new Date(time);
  }

  advance({ seconds }: { seconds: number }): void {
    this.current = new Date(this.current.getTime() + seconds * 1000);
  }
}
