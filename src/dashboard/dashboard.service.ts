import { Injectable } from '@nestjs/common';
import type { AccountId } from '../shared/ids/account-id.js';
import type { PageRequest } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import type { Dashboard, LicenseCounts } from './dashboard.js';
import { type DashboardFilter, DashboardRepository } from './dashboard.repository.js';
import { addDays, daysBetween, startOfDay } from '../shared/time/days.js';

/** Reads the dashboard and the summary of an account. */
@Injectable()
export class DashboardService {
  constructor(
    private readonly dashboard: DashboardRepository,
    private readonly clock: Clock,
  ) {}

  /** A page of the account's clients with their projects and licenses, and the totals of the account. */
  read(accountId: AccountId, filter: DashboardFilter, page: PageRequest): Promise<Dashboard> {
    return this.dashboard.read(accountId, filter, page);
  }

  /**
   * Counts of the account's licenses: those that expire within 7 and 30 days, and the activations of each
   * of the last `days` days (UTC), today included, the oldest first.
   */
  async summarize(accountId: AccountId, days: number): Promise<LicenseCounts> {
    const now = this.clock.now();
    const first = startOfDay(addDays(now, 1 - days));
    const counts = await this.dashboard.countLicenses(accountId, {
      now,
      expiringBy: [addDays(now, 7), addDays(now, 30)],
      activatedSince: first,
    });
    const countOf = new Map(counts.activations.map(({ date, count }) => [date, count]));
    const activations = daysBetween(first, now).map((date) => ({
      date,
      count: countOf.get(date) ?? 0,
    }));
    return { ...counts, activations };
  }
}
