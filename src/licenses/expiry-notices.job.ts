import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { PROJECTS } from '../projects/project.js';
import { CONCURRENCY, Job } from '../jobs/job.js';
import type { AccountId } from '../shared/ids.js';
import { Clock } from '../shared/time/clock.js';
import { DAY_MS } from '../shared/time/calendar.js';
import { type Change, replace, setAll, touch } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import type { Filter } from '../storage/filter.js';
import { Store } from '../storage/store.js';
import { type License, LICENSES } from './license.js';
import { nextNotice, nextUpdatesNotice } from './term.js';
import { expiryEvent, licenseEvent } from './license-events.js';

/** Maximum number of licenses per step and status. */
const STEP_SIZE = 100;
/**
 * The stored statuses of licenses that get notices. PENDING licenses get them only if they have a fixed
 * expiry date or an end of updates.
 */
const STATUSES = ['ACTIVE', 'PENDING'] as const;

type NoticeField = 'nextNoticeAt' | 'nextUpdatesNoticeAt';

/**
 * Stores an event 30, 7 and 1 days before a license expires, when it expires, and before its updates end.
 * Each event is stored only once on any number of instances, because its commit moves the license to its
 * next notice.
 */
@Injectable()
export class ExpiryNotices extends Job {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {
    super({ interval: 20_000, pause: 20 });
  }

  async step(): Promise<boolean> {
    const isMoreLeft = await this.stepOf('nextNoticeAt');
    return (await this.stepOf('nextUpdatesNoticeAt')) || isMoreLeft;
  }

  private async stepOf(field: NoticeField): Promise<boolean> {
    const now = this.clock.now();
    const due = { [field]: { before: new Date(now.getTime() + 1) } };
    const found = await Promise.all(
      STATUSES.map((status) => this.findDue(field, { ...due, status })),
    );
    const licenses = found.flatMap((one) => one.licenses);
    const projects = await Promise.all(
      licenses.map(({ project: _id }) => this.store.find(PROJECTS, { _id })),
    );
    const gone = licenses.filter((_, index) => !projects[index]);
    const left = licenses.filter((_, index) => projects[index]);
    const isSilenced = await this.silence(gone, field);
    const notify = (license: License) => this.notify(license, field, now);
    const isNotified = await pLimit(CONCURRENCY).map(left, notify);
    return found.some(({ isMoreLeft }) => isMoreLeft) && [isSilenced, ...isNotified].includes(true);
  }

  /** Due licenses of the accounts with the fewest, so that an account with many only delays itself. */
  private async findDue(field: NoticeField, due: Filter<License>) {
    const counts = await this.store.countBy(LICENSES, due, 'user');
    let total = 0;
    const accounts = [...counts].toSorted(([, one], [, other]) => one - other);
    const fewest = accounts.filter(([, count], i) => (total += count) <= STEP_SIZE || i === 0);
    const oneOf = fewest.map(([user]) => user as AccountId);
    const earliestFirst = { by: field, direction: 'asc' } as const;
    const slice = { limit: STEP_SIZE };
    const licenses = await this.store.list(
      LICENSES,
      { ...due, user: { oneOf } },
      earliestFirst,
      slice,
    );
    return { licenses, isMoreLeft: licenses.length < total };
  }

  /** Licenses of deleted projects get no more notices, so others need not wait for their removal. */
  private async silence(licenses: readonly License[], field: NoticeField): Promise<boolean> {
    const oneOf = licenses.map(({ _id }) => _id);
    if (oneOf.length === 0) return false;
    const silenced = setAll(LICENSES, { _id: { oneOf } }, { [field]: null });
    return (await this.decisions.commit([silenced])).ok;
  }

  /** @returns false if the license was changed or its project deleted in the meantime */
  private async notify(license: License, field: NoticeField, now: Date): Promise<boolean> {
    const notice = license[field]!;
    const isOfTerm = field === 'nextNoticeAt';
    const next = isOfTerm
      ? { ...license, nextNoticeAt: nextNotice(license, notice) }
      : { ...license, nextUpdatesNoticeAt: nextUpdatesNotice(license.updatesUntil, notice) };
    const event = isOfTerm
      ? this.noticeOfEnd(license, notice, now)
      : this.noticeOfUpdates(license, notice, now);
    const changes = [touch(PROJECTS, license.project), replace(LICENSES, license, next), event];
    return (await this.decisions.commit(changes)).ok;
  }

  private noticeOfEnd(license: License, notice: Date, storedAt: Date): Change {
    const { expiresAt } = license;
    const days = daysTo(expiresAt, notice);
    if (days === 0) return expiryEvent(license, notice, storedAt);
    return licenseEvent('expiring', license, notice, { data: { days, expiresAt }, storedAt });
  }

  private noticeOfUpdates(license: License, notice: Date, storedAt: Date): Change {
    const updatesUntil = license.updatesUntil!;
    const data = { days: daysTo(updatesUntil, notice), updatesUntil };
    return licenseEvent('updates_expiring', license, notice, { data, storedAt });
  }
}

const daysTo = (end: Date, notice: Date): number =>
  Math.round((end.getTime() - notice.getTime()) / DAY_MS);
