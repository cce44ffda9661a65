import { Logger } from '@nestjs/common';
import { MAX_BATCH_SIZE } from '../storage/changes.js';
import { Job } from './job.js';

/** Maximum number of pending records; writes to further records are dropped. */
const MAX_WAITING = 100_000;
/** Default flush interval, in milliseconds. */
const INTERVAL = 60_000;
/** How long a shutdown waits for the last flush, in milliseconds. */
const LAST_WRITE = 2_000;

/** Deferred writes: collected per record, flushed once per interval and at shutdown. */
export abstract class DeferredWrites<Note> extends Job {
  private readonly waiting = new Map<string, Note>();

  /** @param what what is written, for the log: `what was not written` */
  constructor(
    private readonly what: string,
    interval = INTERVAL,
  ) {
    super({ interval, pause: 0 });
  }

  /** Flushes at most one batch. */
  async step(): Promise<boolean> {
    const batch = new Map([...this.waiting].slice(0, MAX_BATCH_SIZE));
    for (const _id of batch.keys()) this.waiting.delete(_id);
    try {
      if (batch.size > 0) await this.writeBatch(batch);
    } catch (error) {
      new Logger(this.constructor.name).warn(`${this.what} was not written: ${String(error)}`);
    }
    return this.waiting.size > 0;
  }

  override async beforeApplicationShutdown(): Promise<void> {
    const stopsAt = performance.now() + LAST_WRITE;
    await super.beforeApplicationShutdown();
    while ((await this.step()) && performance.now() < stopsAt);
  }

  /** @param merge receives the pending write for the record, if any */
  protected add(_id: string, merge: (waiting: Note | undefined) => Note): void {
    const waiting = this.waiting.get(_id);
    if (waiting !== undefined || this.waiting.size < MAX_WAITING) {
      this.waiting.set(_id, merge(waiting));
    }
  }

  /** @param batch at most {@link MAX_BATCH_SIZE} records, by id */
  protected abstract writeBatch(noted: ReadonlyMap<string, Note>): Promise<void>;
}
