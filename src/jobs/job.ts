import {
  type BeforeApplicationShutdown,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';

interface Pace {
  /** Sampling interval for work, in milliseconds. */
  readonly interval: number;
  /** Pause after a step, in milliseconds, in which requests use the store. */
  readonly pause: number;
}

/** Work in the background: small steps, one after the other while there is work, and then one at each interval. */
export abstract class Job implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected isStopping = false;
  private readonly logger = new Logger(this.constructor.name);
  private alarm = new AbortController();
  private loop: Promise<void> | undefined;

  protected constructor(private readonly pace: Pace) {}

  /**
   * Executes a step.
   *
   * @returns whether more is left to do now
   */
  abstract step(): Promise<boolean>;

  onApplicationBootstrap(): void {
    this.loop = this.run();
  }

  /** Before the store is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.wake();
    await this.loop;
  }

  /** Starts the next step now: there is new work. */
  wake(): void {
    this.alarm.abort();
  }

  /** Pauses between parts of a step. */
  protected rest(): Promise<void> {
    return sleep(this.pace.pause);
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      this.alarm = new AbortController();
      // After a failure of the store, the work goes on at the next sample.
      const isMoreLeft = await this.step().catch((error: Error) => this.logFailure(error));
      if (isMoreLeft) await this.rest();
      else await sleep(this.pace.interval, this.alarm.signal);
    }
  }

  protected logFailure({ stack }: Error): false {
    this.logger.error('A background job failed', stack);
    return false;
  }
}

/** Sleeps for these milliseconds, or until the alarm. */
const sleep = (milliseconds: number, alarm?: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (alarm?.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    alarm?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
