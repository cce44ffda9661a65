import {
  type BeforeApplicationShutdown,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Clock } from '../../shared/time/clock.js';
import { removeAll } from '../changes.js';
import type { AnyCollection } from '../collection.js';
import type { Committed, Store } from '../store.js';

/** Pause between two sweeps, in milliseconds. */
const INTERVAL = 60_000;

/** Records that one commit removes: some milliseconds of the event loop. */
const BATCH_SIZE = 100;

/** Removes the records of collections with an expiry, some time after it. */
export class ExpirySweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ExpirySweep.name);
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private isStopped = false;
  private hasFailed = false;

  constructor(
    private readonly collections: readonly AnyCollection[],
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping ??= this.sweep().finally(() => (this.sweeping = undefined));
    }, INTERVAL).unref();
  }

  /** Before the store is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Of failures in a row, the first is logged. What is left then is removed later. */
  private async sweep(): Promise<void> {
    try {
      for (const collection of this.collections) await this.removeExpired(collection);
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) {
        this.logger.error('Expired records were not removed', (error as Error).stack);
      }
      this.hasFailed = true;
    }
  }

  private async removeExpired(collection: AnyCollection): Promise<void> {
    const { expires } = collection;
    if (expires === undefined) return;
    const expired = { [expires]: { before: this.clock.now() } };
    const step = removeAll(collection, expired, BATCH_SIZE);
    let committed: Committed;
    do committed = await this.store.commit([step]);
    while (committed.ok && committed.affected === BATCH_SIZE && !this.isStopped);
  }
}
