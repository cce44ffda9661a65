import { Injectable } from '@nestjs/common';
import { recordDaily } from '../../events/daily-event.js';
import { type Event, SYSTEM } from '../../events/event.js';
import { DeferredWrites } from '../../jobs/deferred-writes.js';
import { Clock } from '../../shared/time/clock.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import { newAccountEvent, type User } from './user.js';

/**
 * Records failed logins, in one event a day per member. Writes in the background, so response times do not
 * reveal whether a login exists.
 */
@Injectable()
export class LoginFailures extends DeferredWrites<Event> {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {
    super('Failed logins');
  }

  record(user: User): void {
    const now = this.clock.now();
    const event = newAccountEvent('account.login_failed', user, now, { by: SYSTEM });
    this.add(`${user._id} ${now.toISOString().slice(0, 10)}`, (first) =>
      first ? { ...first, count: first.count + 1, lastAt: now } : event,
    );
  }

  protected async writeBatch(noted: ReadonlyMap<string, Event>): Promise<void> {
    for (const event of noted.values()) {
      const decide = async () => {
        return { result: undefined, changes: [await recordDaily(this.store, event, '')] };
      };
      await this.decisions.run<void>(decide, { key: event.subject });
    }
  }
}
