import { Injectable } from '@nestjs/common';
import { withDailyId } from '../events/daily-event.js';
import { type Event, newEvent, type Subject, SYSTEM } from '../events/event.js';
import { LICENSES } from '../licenses/license.js';
import { MemoryRateLimits } from '../limits/memory-rate-limits.js';
import { Config, type Limit } from '../shared/config/config.js';
import { Store } from '../storage/store.js';

/** Kinds whose events share one quota. Each other kind has its own: license events crowd out no login, member or API key. */
const SHARED = ['client', 'project', 'license', 'plan'];
/** Events of machines a day, for each machine that may use a license, if these are more than those of a small license. */
const PER_MACHINE = 4;

/**
 * Bounds the events that are stored in a day: of an account by what they take up, of a license by how many its machines cause, as they
 * can choose new fingerprints without end. Beyond a bound, events are only counted.
 */
@Injectable()
export class EventQuota {
  constructor(
    private readonly store: Store,
    private readonly limits: MemoryRateLimits,
    private readonly config: Config,
  ) {}

  /**
   * @param size what the event and its deliveries take up, in bytes
   * @returns the event of the day that counts this one because it is beyond a bound; undefined if it is within all
   */
  async omissionOf(event: Event, size: number): Promise<Event | undefined> {
    const { accountId, subject, subjectName, actorType } = event;
    if (actorType === 'machine' && (await this.isBeyondLicense(subject))) {
      const license = { accountId, _id: subject, name: subjectName };
      return omitted('license.events_omitted', license, event);
    }
    const kind = event.type.split('.')[0]!;
    const { events, accessEvents } = this.config.limits;
    const isBeyond = SHARED.includes(kind)
      ? this.isBeyond(events, accountId, size)
      : this.isBeyond(accessEvents, `${accountId} ${kind}`, size);
    if (!isBeyond) return undefined;
    return omitted('account.events_omitted', { accountId, _id: accountId, name: kind }, event);
  }

  private async isBeyondLicense(_id: string): Promise<boolean> {
    const limit = this.config.limits.machineEvents;
    if (limit.requests === 0) return false;
    // A large license has more, so it counts on.
    const { hits } = this.limits.hitNow({ ...limit, requests: Infinity }, _id);
    if (hits <= limit.requests) return false;
    const license = await this.store.find(LICENSES, { _id });
    return hits > PER_MACHINE * (license?.maxMachines ?? 0);
  }

  private isBeyond(limit: Limit, key: string, cost: number): boolean {
    return limit.requests > 0 && this.limits.hitNow(limit, key, cost).hits > limit.requests;
  }
}

const omitted = (
  type: 'license.events_omitted' | 'account.events_omitted',
  subject: Subject,
  { type: omittedType, count, storedAt }: Event,
): Event => {
  const details = { data: { type: omittedType }, by: SYSTEM, requestId: null };
  return { ...withDailyId(newEvent(type, subject, storedAt, details), omittedType), count };
};
