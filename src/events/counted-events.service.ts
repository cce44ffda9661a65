import { Injectable, Module } from '@nestjs/common';
import pLimit from 'p-limit';
import { DeferredWrites } from '../jobs/deferred-writes.js';
import type { Change } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { storeDaily, withDailyId, withOccurrence } from './daily-event.js';
import type { Event } from './event.js';

interface Counted {
  readonly event: Event;
  readonly requires: Change | undefined;
}

/** How often they are stored, in milliseconds. */
const INTERVAL = 2_000;
/** Events stored at the same time, so that the commits of requests wait briefly. */
const CONCURRENCY = 16;

/**
 * Failures that callers can repeat endlessly, as one event a day each, with a count. They are stored in the background: no caller
 * waits for the others of the event, and response times do not reveal whether a login exists.
 */
@Injectable()
export class CountedEvents extends DeferredWrites<Counted> {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
  ) {
    super('An event', INTERVAL);
  }

  /**
   * @param distinction separates it from others of the same type, subject and day
   * @param requires the event is dropped if this change fails
   */
  record(event: Event, distinction = '', requires?: Change): void {
    const daily = withDailyId(event, distinction);
    this.add(daily._id, (first) => ({
      event: first ? withOccurrence(first.event, event) : daily,
      requires,
    }));
  }

  protected async writeBatch(noted: ReadonlyMap<string, Counted>): Promise<void> {
    await pLimit(CONCURRENCY).map(noted.values(), (counted) => this.write(counted));
  }

  private write({ event, requires }: Counted): Promise<void> {
    return this.decisions.run<void>(async (failed) => {
      if (requires && failed?.collection === requires.collection) return NOTHING;
      const stored = await storeDaily(this.store, event);
      return { result: undefined, changes: [...(requires ? [requires] : []), stored] };
    });
  }
}

const NOTHING = { result: undefined, changes: [] };

@Module({ providers: [CountedEvents], exports: [CountedEvents] })
export class CountedEventsModule {}
