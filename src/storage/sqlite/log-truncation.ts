import { Injectable } from '@nestjs/common';
import { Job } from '../../jobs/job.js';
import { SqliteStore } from './sqlite-store.js';

/** Empties the write-ahead log once a minute, because erased data stays in it until it is overwritten. */
@Injectable()
export class LogTruncation extends Job {
  constructor(private readonly store: SqliteStore) {
    super({ interval: 60_000, pause: 20 });
  }

  async step(): Promise<boolean> {
    this.store.truncateLog();
    return false;
  }
}
