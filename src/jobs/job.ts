import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { type Counter, type Labelled, Metrics } from '../metrics/metrics.js';
import { isStoreUnavailable } from '../shared/request-context.js';

interface Pace {
  /** How often to look for work, in milliseconds. */
  readonly interval: number;
  /** Pause after a step, in milliseconds, which leaves the store to requests. */
  readonly pause: number;
}

/** Records that a step changes at the same time, each with its own decision. More would block the main thread. */
export const CONCURRENCY = 20;

/** Counts the failed steps of all background jobs. */
@Injectable()
export class JobFailures {
  private readonly steps: Labelled<Counter>;

  constructor(metrics: Metrics) {
    this.steps = metrics.counter('job_failures_total', 'Failed steps of background jobs', 'name');
  }

  count(job: string, by = 1): void {
    this.steps.labels(job).inc(by);
  }
}

/** Background work in small steps: back to back while there is work, otherwise one per interval. */
export abstract class Job implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected isStopping = false;
  /** Absent in unit tests. */
  @Optional() @Inject(JobFailures) private readonly jobFailures?: JobFailures;
  private readonly logger = new Logger(this.constructor.name);
  private alarm = new AbortController();
  private loop: Promise<void> | undefined;

  protected constructor(private readonly pace: Pace) {}

  /**
   * Takes one step.
   *
   * @returns whether more work is ready
   */
  abstract step(): Promise<boolean>;

  onApplicationBootstrap(): void {
    // It starts at 0, so the first failure is an increase.
    this.jobFailures?.count(this.constructor.name, 0);
    this.loop = this.run();
  }

  /** Runs before the store closes. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.wake();
    await this.loop;
  }

  /** Starts the next step now because there is new work. */
  wake(): void {
    this.alarm.abort();
  }

  /** Pauses between parts of a step. */
  protected pauseStep(): Promise<void> {
    return sleep(this.pace.pause);
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      this.alarm = new AbortController();
      // After a store failure, work continues after the interval.
      const isMoreLeft = await this.step().catch((error: Error) => this.logFailure(error));
      if (isMoreLeft) await this.pauseStep();
      else await sleep(this.pace.interval, this.alarm.signal);
    }
  }

  protected logFailure(error: Error): false {
    this.jobFailures?.count(this.constructor.name);
    if (isStoreUnavailable(error)) this.logger.warn('A background job is waiting for the store');
    else this.logger.error('A background job failed', error.stack);
    return false;
  }
}

/** Sleeps until the time has passed or the alarm goes off. */
const sleep = (milliseconds: number, alarm?: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (alarm?.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    alarm?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
