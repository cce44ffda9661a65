import {
  type BeforeApplicationShutdown,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { MAX_BATCH_SIZE } from '../storage/changes.js';

/** Most records that wait to be written: what is noted of others is lost. */
const MAX_WAITING = 100_000;
/** Milliseconds between two writes. */
const INTERVAL = 60_000;
/** Milliseconds for which a shutdown waits for the last write. */
const LAST_WRITE = 2_000;

/** Deferred writes, each of one record: collected from requests, flushed once a minute and on shutdown. */
export abstract class BackgroundWrites<Note>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private waiting = new Map<string, Note>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private stopsAt = Infinity;

  /** @param what they note, for the log: `what was not written` */
  constructor(private readonly what: string) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), INTERVAL);
    this.timer.unref();
  }

  /** Before the store is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopsAt = performance.now() + LAST_WRITE;
    clearInterval(this.timer);
    await this.writing;
    await this.write();
  }

  /** Writes what has been noted, one batch after the other. */
  write(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  /** @param merge gets the note on the record that waits, if there is one */
  protected add(_id: string, merge: (waiting: Note | undefined) => Note): void {
    const waiting = this.waiting.get(_id);
    if (waiting !== undefined || this.waiting.size < MAX_WAITING) {
      this.waiting.set(_id, merge(waiting));
    }
  }

  /** @param noted of at most {@link MAX_BATCH_SIZE} records */
  protected abstract writeBatch(noted: ReadonlyMap<string, Note>): Promise<void>;

  private async writeAll(): Promise<void> {
    const noted = [...this.waiting];
    this.waiting = new Map();
    try {
      for (let start = 0; start < noted.length; start += MAX_BATCH_SIZE) {
        if (performance.now() > this.stopsAt) return;
        await this.writeBatch(new Map(noted.slice(start, start + MAX_BATCH_SIZE)));
      }
    } catch (error) {
      new Logger(this.constructor.name).warn(`${this.what} was not written: ${String(error)}`);
    }
  }
}
