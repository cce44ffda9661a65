import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DeletedLicensesRepository } from '../shared/deletion/deleted-licenses.repository.js';

/** Pause between two steps, in milliseconds, in which other requests use the store. */
const STEP_PAUSE = 5;
/** Sampling interval for deletions that another instance has left unfinished, in milliseconds. */
const INTERVAL = 30_000;

/** Removes the licenses of deleted projects from the store in small steps, while the service runs. */
@Injectable()
export class DeletedLicensesWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeletedLicensesWorker.name);
  private readonly shutdown = new AbortController();
  private alarm = new AbortController();
  private loop: Promise<void> | undefined;

  constructor(private readonly deletedLicenses: DeletedLicensesRepository) {}

  onApplicationBootstrap(): void {
    this.loop = this.run();
  }

  /** Before the store is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    this.wake();
    await this.loop;
  }

  /** Starts the next step now: a project has been deleted. */
  wake(): void {
    this.alarm.abort();
  }

  private async run(): Promise<void> {
    while (!this.shutdown.signal.aborted) {
      this.alarm = new AbortController();
      const pause = (await this.removeSome()) === 'removed' ? STEP_PAUSE : INTERVAL;
      await sleep(pause, this.alarm.signal);
    }
  }

  /** A failure of the store is logged, and the step is repeated after the interval. */
  private async removeSome(): Promise<'removed' | 'nothing_left'> {
    try {
      return await this.deletedLicenses.removeSome(this.shutdown.signal);
    } catch (error) {
      const { stack } = error as Error;
      this.logger.error('Licenses of a deleted project were not removed', stack);
      return 'nothing_left';
    }
  }
}

/** Sleeps for these milliseconds, or until the alarm. */
const sleep = (milliseconds: number, alarm: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (alarm.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds).unref();
    alarm.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
