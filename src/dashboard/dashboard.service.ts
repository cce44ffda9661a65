import { Injectable } from '@nestjs/common';
import { type Client, CLIENTS, clientsOf } from '../clients/client.js';
import { hasStatus } from '../licenses/license-query.js';
import { LICENSES } from '../licenses/license.js';
import { withProductOf } from '../licenses/product.js';
import { type Project, PROJECTS } from '../projects/project.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { NEWEST_FIRST, type PageRequest, positionOf, readPage } from '../shared/pagination/page.js';
import { NO_RECORDS, TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { addDays, DAY_MS, daysBetween, startOfDay } from '../shared/time/days.js';
import { given } from '../storage/filter.js';
import { Store } from '../storage/store.js';
import { type Dashboard, type DashboardFilter, fitting, MAX_SHOWN } from './dashboard.js';
import type { SummaryResponse } from './dto/summary.response.js';

@Injectable()
export class DashboardService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /**
   * A page of the account's clients with their newest projects and licenses, and the totals of the account. Its queries and its
   * time depend on what is shown, not on what is stored.
   */
  async read(
    accountId: AccountId,
    { client: _id, search }: DashboardFilter,
    page: PageRequest,
  ): Promise<Dashboard> {
    const filter = { ...clientsOf(accountId, search), ...given({ _id }) };
    const [totals, found] = await Promise.all([
      this.store.find(TOTALS, { _id: accountId }),
      readPage(this.store, CLIENTS, filter, NEWEST_FIRST, page),
    ]);
    const data = await this.withNewest(accountId, found.data);
    const { clientsCount, projectsCount, licensesCount } = totals ?? NO_RECORDS;
    const isCut = data.length < found.data.length;
    const next = isCut ? positionOf(data.at(-1)!.client, 'createdAt') : found.next;
    return { totals: { clientsCount, projectsCount, licensesCount }, page: { data, next } };
  }

  /**
   * Counts of the account's licenses: those that expire within 7 and 30 days, and the activations of each
   * of the last `days` days (UTC), today included.
   */
  async summarize(accountId: AccountId, days: number): Promise<SummaryResponse> {
    const now = this.clock.now();
    const first = startOfDay(addDays(now, 1 - days));
    const user = accountId;
    const expiringBy = (time: Date) => {
      const expiring = [hasStatus('ACTIVE', now), hasStatus('EXPIRED', time)];
      return this.store.count(LICENSES, { user, and: expiring });
    };
    const stored = await this.store.countBy(LICENSES, { user }, 'status');
    // Counted after those that are stored as ACTIVE, of which they are a part: from now on, none is added to them.
    const [expired, expiringWithin7Days, expiringWithin30Days, byDay] = await Promise.all([
      this.store.count(LICENSES, { user, ...hasStatus('EXPIRED', now) }),
      expiringBy(addDays(now, 7)),
      expiringBy(addDays(now, 30)),
      this.store.countBy(LICENSES, { user, activatedAt: { from: first } }, 'activatedAt', DAY_MS),
    ]);
    return {
      licensesByStatus: {
        PENDING: stored.get('PENDING') ?? 0,
        ACTIVE: (stored.get('ACTIVE') ?? 0) - expired,
        EXPIRED: expired,
        SUSPENDED: stored.get('SUSPENDED') ?? 0,
        REVOKED: stored.get('REVOKED') ?? 0,
      },
      expiringWithin7Days,
      expiringWithin30Days,
      activationsPerDay: daysBetween(first, now).map((date) => ({
        date,
        count: byDay.get(Date.parse(date) / DAY_MS) ?? 0,
      })),
    };
  }

  /** The first of these clients, as many as fit on a page, with their newest projects and licenses. */
  private async withNewest(accountId: AccountId, clients: readonly Client[]) {
    const [owner, user] = [accountId, accountId];
    const ids = idsOf(clients);
    const newest = await this.store.newestOf(PROJECTS, { owner }, 'client', ids, MAX_SHOWN);
    const projectsOf = groupBy(newest, (project) => project.client);
    const shown = fitting(clients, projectsOf);
    const projects = idsOf(shown.flatMap(projectsOf));
    const licenses = await this.store.newestOf(LICENSES, { user }, 'project', projects, MAX_SHOWN);
    const licensesOf = groupBy(licenses, (license) => license.project);
    return shown.map((client) => ({
      client,
      projects: projectsOf(client).map((project) => ({
        project,
        licenses: licensesOf(project).map((license) => withProductOf(license, project)),
      })),
    }));
  }
}

const idsOf = (records: readonly (Client | Project)[]) => records.map(({ _id }) => _id);

/** Finds those of the records that belong to a parent, in their order. */
function groupBy<R>(records: readonly R[], parentOf: (record: R) => string) {
  const groups = new Map<string, R[]>();
  for (const record of records) {
    const group = groups.get(parentOf(record));
    if (group) group.push(record);
    else groups.set(parentOf(record), [record]);
  }
  return ({ _id }: { readonly _id: string }): readonly R[] => groups.get(_id) ?? [];
}
