import { Inject, Injectable } from '@nestjs/common';
import { Job } from '../../jobs/job.js';
import { Clock } from '../../shared/time/clock.js';
import { ClockCheck } from '../../shared/time/clock-check.js';
import { removeAll } from '../changes.js';
import type { AnyCollection } from '../collection.js';
import { WritableStore } from '../writable-store.js';

/** Records removed per step and collection, which takes a few milliseconds of the event loop. */
const STEP_SIZE = 100;

/** The collections that may have expired records. */
export const SWEPT = Symbol('collections to sweep');

/** Removes expired records, some time after their expiry. */
@Injectable()
export class ExpirySweep extends Job {
  constructor(
    @Inject(SWEPT) private readonly collections: readonly AnyCollection[],
    private readonly store: WritableStore,
    private readonly clock: Clock,
    @Inject(ClockCheck) private readonly clockCheck: Pick<ClockCheck, 'mayDelete'>,
  ) {
    super({ interval: 60_000, pause: 20 });
  }

  async step(): Promise<boolean> {
    if (!(await this.clockCheck.mayDelete())) return false;
    const before = this.clock.now();
    const changes = this.collections.flatMap((collection) => {
      const { expires } = collection;
      return expires ? [removeAll(collection, { [expires]: { before } }, STEP_SIZE)] : [];
    });
    const removed = await this.store.commit(changes);
    return removed.ok && removed.affected >= STEP_SIZE;
  }
}
