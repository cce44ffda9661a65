import {
  type BeforeApplicationShutdown,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';

/** Most records that wait to be written: what is noted of others is lost. */
const MAX_WAITING = 10_000;
/** Milliseconds between two writes. */
const INTERVAL = 60_000;

/** Notes that requests leave behind, each on a record: written once a minute, in place of within the requests. */
export abstract class BackgroundWrites<Note>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private waiting = new Map<string, Note>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private isStopping = false;

  /** @param what they note, for the log: `what was not written` */
  constructor(private readonly what: string) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), INTERVAL);
    this.timer.unref();
  }

  /** Before the store is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.writing;
  }

  /** Writes what has been noted, one record after the other. */
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

  protected abstract writeOne(_id: string, note: Note): Promise<void>;

  private async writeAll(): Promise<void> {
    const noted = this.waiting;
    this.waiting = new Map();
    try {
      for (const [_id, note] of noted) {
        if (this.isStopping) return;
        await this.writeOne(_id, note);
      }
    } catch (error) {
      new Logger(this.constructor.name).warn(`${this.what} was not written: ${String(error)}`);
    }
  }
}
