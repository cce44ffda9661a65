import { Injectable } from '@nestjs/common';
import { DeferredWrites } from '../jobs/deferred-writes.js';
import { Clock } from '../shared/time/clock.js';
import { startOfDay } from '../shared/time/calendar.js';
import { setAll } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { type Machine, MACHINES } from './machine.js';

/** Stores the day a machine was last seen, at most once a day per machine, because validation itself writes nothing. */
@Injectable()
export class LastSeen extends DeferredWrites<true> {
  constructor(
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {
    super('The day on which machines were last seen');
  }

  /** Records that a machine validated a license. */
  markSeen({ _id, lastSeenAt }: Machine, now: Date): void {
    if (lastSeenAt < startOfDay(now)) this.add(_id, () => true);
  }

  protected async writeBatch(noted: ReadonlyMap<string, true>): Promise<void> {
    const lastSeenAt = startOfDay(this.clock.now());
    const seen = { _id: { oneOf: [...noted.keys()] }, lastSeenAt: { before: lastSeenAt } };
    await this.decisions.commit([setAll(MACHINES, seen, { lastSeenAt })]);
  }
}
