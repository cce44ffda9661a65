import { Injectable } from '@nestjs/common';
import { withDailyId } from '../events/daily-event.js';
import { type Event, newEvent, type Subject, SYSTEM } from '../events/event.js';
import { LICENSES } from '../licenses/license.js';
import { MemoryRateLimits } from '../limits/memory-rate-limits.js';
import { Config, type Limit } from '../shared/config/config.js';
import { Store } from '../storage/store.js';

/** Kinds whose events share one quota. Other kinds have their own, so license events never crowd out logins, members or API keys. */
const SHARED = ['client', 'project', 'license', 'plan'];
/** Daily machine events allowed per machine of a license, if this exceeds the limit for a small license. */
const PER_MACHINE = 4;

/**
 * Limits the events stored per day: per account by size, and per license by the number machines cause, because machines
 * can choose new fingerprints endlessly. Events over the limit are only counted.
 */
@Injectable()
export class EventQuota {
  constructor(
    private readonly store: Store,
    private readonly limits: MemoryRateLimits,
    private readonly config: Config,
  ) {}

  /**
   * @param size of the event and its deliveries, in bytes
   * @returns the day's omission event, which counts this event because it exceeds a limit; undefined if within all limits
   */
  async findOmission(event: Event, size: number): Promise<Event | undefined> {
    const { accountId, subject, subjectName, actorType } = event;
    if (actorType === 'machine' && (await this.isOverLicenseQuota(subject))) {
      const license = { accountId, _id: subject, name: subjectName };
      return newOmission('license.events_omitted', license, event);
    }
    const kind = event.type.split('.')[0]!;
    const { events, accessEvents } = this.config.limits;
    const isOverQuota = SHARED.includes(kind)
      ? this.isBeyond(events, accountId, size)
      : this.isBeyond(accessEvents, `${accountId} ${kind}`, size);
    if (!isOverQuota) return undefined;
    return newOmission('account.events_omitted', { accountId, _id: accountId, name: kind }, event);
  }

  private async isOverLicenseQuota(_id: string): Promise<boolean> {
    const limit = this.config.limits.machineEvents;
    if (limit.requests === 0) return false;
    // Keeps counting past the limit, because a large license allows more.
    const { hits } = this.limits.hitSync({ ...limit, requests: Infinity }, _id);
    if (hits <= limit.requests) return false;
    const license = await this.store.find(LICENSES, { _id });
    return hits > PER_MACHINE * (license?.maxMachines ?? 0);
  }

  private isBeyond(limit: Limit, key: string, cost: number): boolean {
    return limit.requests > 0 && this.limits.hitSync(limit, key, cost).hits > limit.requests;
  }
}

const newOmission = (
  type: 'license.events_omitted' | 'account.events_omitted',
  subject: Subject,
  { type: omittedType, count, storedAt }: Event,
): Event => {
  const details = { data: { type: omittedType }, by: SYSTEM, requestId: null };
  return { ...withDailyId(newEvent(type, subject, storedAt, details), omittedType), count };
};
