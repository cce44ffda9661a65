import { Injectable } from '@nestjs/common';
import { type Client, CLIENTS, clientsOf } from '../clients/client.js';
import { toClientDto } from '../clients/dto/client.response.js';
import { hasStatus } from '../licenses/license-query.js';
import { LICENSES, withProductOf } from '../licenses/license.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { toProjectDto } from '../projects/dto/project.response.js';
import { type Project, PROJECTS } from '../projects/project.js';
import type { AccountId } from '../shared/ids.js';
import {
  NEWEST_FIRST,
  type Page,
  type PageRequest,
  positionOf,
  readPage,
} from '../shared/pagination/page.js';
import { NO_RECORDS, type Totals, TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { addDays, DAY_MS, daysBetween, startOfDay } from '../shared/time/calendar.js';
import { omitUndefined } from '../storage/filter.js';
import { Store } from '../storage/store.js';
import {
  type ClientOverviewDto,
  type DashboardQuery,
  MAX_SHOWN,
  type SummaryResponse,
} from './dto/dashboard.dto.js';

/**
 * Maximum number of licenses on a page. The page ends before the client that would exceed it. A single
 * client cannot exceed it, so no page is empty.
 */
export const MAX_LICENSES = MAX_SHOWN * MAX_SHOWN;

@Injectable()
export class DashboardService {
  constructor(
    private readonly store: Store,
    private readonly licenses: LicensePresenter,
    private readonly clock: Clock,
  ) {}

  async totalsOf(accountId: AccountId): Promise<Totals> {
    const totals = await this.store.find(TOTALS, { _id: accountId });
    const { clientsCount, projectsCount, licensesCount } = totals ?? NO_RECORDS;
    return { clientsCount, projectsCount, licensesCount };
  }

  /**
   * A page of the account's clients with their newest projects and licenses. The number of queries and the time depend on the records
   * shown, not on the records stored.
   */
  async read(
    accountId: AccountId,
    { clientId: _id, search }: Pick<DashboardQuery, 'clientId' | 'search'>,
    page: PageRequest,
  ): Promise<Page<ClientOverviewDto>> {
    const [owner, user] = [accountId, accountId];
    const filter = { ...clientsOf(accountId, search), ...omitUndefined({ _id }) };
    const found = await readPage(this.store, CLIENTS, filter, NEWEST_FIRST, page);
    const ids = found.data.map((client) => client._id);
    const newest = await this.store.newestOf(PROJECTS, { owner }, 'client', ids, MAX_SHOWN);
    const projectsOf = groupBy(newest, ({ client }) => client);
    const clients = fitting(found.data, projectsOf);
    const projects = new Map(clients.flatMap(projectsOf).map((one) => [one._id, one]));
    const parents = [...projects.keys()];
    const licenses = await this.store.newestOf(LICENSES, { user }, 'project', parents, MAX_SHOWN);
    const shown = licenses.map((one) => withProductOf(one, projects.get(one.project)!));
    const licensesOf = groupBy(await this.licenses.presentAll(shown), ({ project }) => project);
    const data = clients.map((client) => ({
      ...toClientDto(client),
      projectsCount: client.projectsCount,
      projects: projectsOf(client).map((project) => ({
        ...toProjectDto(project),
        licensesCount: project.licensesCount,
        licenses: licensesOf(project),
      })),
    }));
    const isCut = clients.length < found.data.length;
    return { data, next: isCut ? positionOf(clients.at(-1)!, 'createdAt') : found.next };
  }

  /**
   * Counts of the account's licenses, of the licenses that expire within 7 and 30 days, and of the activations on each of the last
   * `days` days (UTC), including today.
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
    // Counted last, because the licenses stored as ACTIVE or PENDING include them.
    const [expired, expiringWithin7Days, expiringWithin30Days, byDay] = await Promise.all([
      this.store.countBy(LICENSES, { user, ...hasStatus('EXPIRED', now) }, 'status'),
      expiringBy(addDays(now, 7)),
      expiringBy(addDays(now, 30)),
      this.store.countBy(LICENSES, { user, activatedAt: { from: first } }, 'activatedAt', DAY_MS),
    ]);
    const left = (status: 'PENDING' | 'ACTIVE') =>
      Math.max(0, (stored.get(status) ?? 0) - (expired.get(status) ?? 0));
    return {
      licensesByStatus: {
        PENDING: left('PENDING'),
        ACTIVE: left('ACTIVE'),
        EXPIRED: (expired.get('PENDING') ?? 0) + (expired.get('ACTIVE') ?? 0),
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
}

/** The first of these clients whose licenses fit on one page. */
function fitting(
  clients: readonly Client[],
  projectsOf: (client: Client) => readonly Project[],
): readonly Client[] {
  let room = MAX_LICENSES;
  const end = clients.findIndex((client) => {
    for (const { licensesCount } of projectsOf(client)) room -= Math.min(licensesCount, MAX_SHOWN);
    return room < 0;
  });
  return end < 0 ? clients : clients.slice(0, end);
}

/** Finds the records that belong to a parent, in order. */
function groupBy<R>(records: readonly R[], parentOf: (record: R) => string) {
  const groups = new Map<string, R[]>();
  for (const record of records) {
    const group = groups.get(parentOf(record));
    if (group) group.push(record);
    else groups.set(parentOf(record), [record]);
  }
  return ({ _id }: { readonly _id: string }): R[] => groups.get(_id) ?? [];
}
