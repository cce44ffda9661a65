import { Injectable } from '@nestjs/common';
import { Job } from '../jobs/job.js';
import { Config } from '../shared/config/config.js';
import { addDays } from '../shared/time/calendar.js';
import { Clock } from '../shared/time/clock.js';
import { ClockCheck } from '../shared/time/clock-check.js';
import { removeAll } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { EVENTS } from './event.js';

/** Maximum number of events removed per step. */
const STEP_SIZE = 100;

/** Removes events past their retention period. */
@Injectable()
export class EventRetention extends Job {
  constructor(
    private readonly decisions: Decisions,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly clockCheck: ClockCheck,
  ) {
    super({ interval: 10 * 60_000, pause: 20 });
  }

  async step(): Promise<boolean> {
    const { eventDays } = this.config;
    // Checks the clock first, because on MongoDB nothing else does.
    const mayDelete = await this.clockCheck.mayDelete();
    if (!mayDelete || eventDays === 0) return false;
    const before = addDays(this.clock.now(), -eventDays);
    const removed = await this.decisions.commit([removeAll(EVENTS, { at: { before } }, STEP_SIZE)]);
    return removed.ok && removed.affected === STEP_SIZE;
  }
}
