import { pathToFileURL } from 'node:url';

const PRELOADED = pathToFileURL('test/prove/clock/preloaded.mjs').href;

/** A clock for a built service that starts ahead of real time or runs faster. All instances with its variables agree. */
export class ServiceClock {
  /** When it starts, by performance.now(). */
  private readonly origin = performance.now();
  private readonly monotonicOrigin = Number(process.hrtime.bigint()) / 1e6;
  private readonly start: number;

  /**
   * @param speed service seconds per real second
   * @param ahead of real time when it starts, in milliseconds
   */
  constructor(
    private readonly speed = 1,
    ahead = 0,
  ) {
    this.start = Date.now() + ahead;
  }

  /** The variables for a service that uses it. */
  get env() {
    return {
      NODE_OPTIONS: `--import=${PRELOADED}`,
      CLOCK_ORIGIN: String(this.monotonicOrigin),
      CLOCK_START: String(this.start),
      CLOCK_SPEED: String(this.speed),
    };
  }

  /** The time it shows, in milliseconds since 1970, at a given performance.now(). */
  at(time: number): number {
    return this.start + (time - this.origin) * this.speed;
  }

  /** The performance.now() at which it shows a time. */
  when(shown: number): number {
    return this.origin + (shown - this.start) / this.speed;
  }

  /** When this many of its seconds have passed since a time, both by performance.now(). */
  after(time: number, seconds: number): number {
    return time + this.real(seconds);
  }

  /** How long this many of its seconds take, in milliseconds. */
  real(seconds: number): number {
    return (seconds * 1000) / this.speed;
  }
}
