import { Injectable } from '@nestjs/common';
import { BackgroundWorker } from '../shared/background-worker.js';
import { Config } from '../shared/config/config.js';
import { addDays } from '../shared/time/days.js';
import { Clock } from '../shared/time/clock.js';
import { removeAll } from '../storage/changes.js';
import { Store } from '../storage/store.js';
import { EVENTS } from './event.js';

/** Events that a step removes. */
const STEP_SIZE = 100;

/** Removes events that are older than they are to be kept. */
@Injectable()
export class EventRetention extends BackgroundWorker {
  constructor(
    private readonly store: Store,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super({ interval: 10 * 60_000, pause: 20 });
  }

  async step(): Promise<boolean> {
    const { eventDays } = this.config;
    if (eventDays === 0) return false;
    const before = addDays(this.clock.now(), -eventDays);
    const removed = await this.store.commit([removeAll(EVENTS, { at: { before } }, STEP_SIZE)]);
    return removed.ok && removed.affected === STEP_SIZE;
  }
}
