import { Injectable } from '@nestjs/common';
import { PROJECTS } from '../projects/project.js';
import { Job } from '../jobs/job.js';
import { Clock } from '../shared/time/clock.js';
import { DAY_MS } from '../shared/time/calendar.js';
import { replace, setAll, touch } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { LicenseEvents } from './license-events.service.js';
import { type License, LICENSES } from './license.js';
import { nextNotice } from './term.js';

/** Licenses of a step, of each status. */
const STEP_SIZE = 100;
/** The stored statuses of licenses that expire: of PENDING ones those with an absolute end. */
const STATUSES = ['ACTIVE', 'PENDING'] as const;
const EARLIEST_FIRST = { by: 'nextNoticeAt', direction: 'asc' } as const;

/**
 * Stores an event 30, 7 and 1 days before the end of a license, and one at the end. Each comes once, whatever the number of
 * instances: its commit moves the license to its next notice.
 */
@Injectable()
export class ExpiryNotices extends Job {
  constructor(
    private readonly store: Store,
    private readonly events: LicenseEvents,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {
    super({ interval: 20_000, pause: 20 });
  }

  async step(): Promise<boolean> {
    const now = this.clock.now();
    const due = { nextNoticeAt: { before: new Date(now.getTime() + 1) } };
    const slice = { limit: STEP_SIZE };
    const found = STATUSES.map((status) =>
      this.store.list(LICENSES, { ...due, status }, EARLIEST_FIRST, slice),
    );
    const licenses = (await Promise.all(found)).flat();
    const projects = await Promise.all(
      licenses.map(({ project: _id }) => this.store.find(PROJECTS, { _id })),
    );
    const committed = await Promise.all([
      this.silence(licenses.filter((_, index) => !projects[index])),
      ...licenses.flatMap((license, index) => (projects[index] ? this.notify(license, now) : [])),
    ]);
    return licenses.length >= STEP_SIZE && committed.some((ok) => ok);
  }

  /** Licenses of deleted projects have no more notices, so that the others need not wait for their removal. */
  private async silence(licenses: readonly License[]): Promise<boolean> {
    const oneOf = licenses.map(({ _id }) => _id);
    if (oneOf.length === 0) return false;
    const silenced = setAll(LICENSES, { _id: { oneOf } }, { nextNoticeAt: null });
    return (await this.decisions.commit([silenced])).ok;
  }

  /** @returns false if another change of the license, or the deletion of its project, was faster */
  private async notify(license: License, now: Date): Promise<boolean> {
    const notice = license.nextNoticeAt!;
    const { expiresAt } = license;
    const days = Math.round((expiresAt.getTime() - notice.getTime()) / DAY_MS);
    const data = { days, expiresAt };
    const event =
      days > 0
        ? this.events.record('expiring', license, notice, { data, storedAt: now })
        : this.events.recordEnd(license, notice, now);
    const next = { ...license, nextNoticeAt: nextNotice(license, notice) };
    const changes = [touch(PROJECTS, license.project), replace(LICENSES, license, next), event];
    return (await this.decisions.commit(changes)).ok;
  }
}
