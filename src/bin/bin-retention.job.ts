import { Injectable } from '@nestjs/common';
import { Job } from '../jobs/job.js';
import { ClockCheck } from '../shared/time/clock-check.js';
import { Clock } from '../shared/time/clock.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { Bin } from './bin.service.js';
import { BINNED, binStart, EARLIEST_FIRST } from './binned.js';

/** Entries erased per step. */
const STEP_SIZE = 100;

/** Erases records that have been in the bin for too long. */
@Injectable()
export class BinRetention extends Job {
  constructor(
    private readonly store: Store,
    private readonly bin: Bin,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
    private readonly clockCheck: ClockCheck,
  ) {
    super({ interval: 10 * 60_000, pause: 20 });
  }

  async step(): Promise<boolean> {
    if (!(await this.clockCheck.mayDelete())) return false;
    const filter = { isListed: true, deletedAt: { before: binStart(this.clock.now()) } };
    const old = await this.store.list(BINNED, filter, EARLIEST_FIRST, { limit: STEP_SIZE });
    let erased = 0;
    for (const entry of old) {
      const changes = await this.bin.removalOf(entry.accountId, entry);
      erased += Number((await this.decisions.commit(changes)).ok);
    }
    return erased > 0;
  }
}
