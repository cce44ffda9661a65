import { Injectable } from '@nestjs/common';
import { type Page, type PageRequest, pageOf } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import type { License } from './license.js';
import { byTime, expiredEvent, isAfter, type LicenseEvent } from './license-event.js';
import { LicenseEventsRepository } from './license-events.repository.js';
import { endOfTerm } from './license-transitions.js';

/** Lists the events of a license. */
@Injectable()
export class LicenseEventsService {
  constructor(
    private readonly events: LicenseEventsRepository,
    private readonly clock: Clock,
  ) {}

  /** A page of a license's events, newest first: the stored ones, and the ends of its terms. */
  async list(license: License, page: PageRequest): Promise<Page<LicenseEvent>> {
    const [{ data: stored }, earlierEnds] = await Promise.all([
      this.events.list(license._id, { ...page, limit: page.limit + 1 }),
      this.events.listTermEnds(license._id),
    ]);
    const lastEnd = endOfTerm(license, this.clock.now());
    // Deduplicated by time: after a renewal between the two reads, both have the same end.
    const ends = new Map([...earlierEnds, ...(lastEnd ? [lastEnd] : [])].map((end) => [+end, end]));
    const expired = [...ends.values()]
      .map((end) => expiredEvent(license._id, end))
      .filter((event) => !page.after || isAfter(page.after, event));
    const newestFirst = [...stored, ...expired].sort(byTime);
    return pageOf(newestFirst, page.limit, ({ at, _id }) => ({ time: at, _id }));
  }
}
