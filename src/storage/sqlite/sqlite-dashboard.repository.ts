import { Injectable } from '@nestjs/common';
import {
  type ClientOverview,
  type Dashboard,
  type LicenseCounts,
  type ProjectOverview,
  SHOWN,
  type Totals,
} from '../../dashboard/dashboard.js';
import {
  type CountQuery,
  type DashboardFilter,
  DashboardRepository,
} from '../../dashboard/dashboard.repository.js';
import { byCreation, type PageRequest, pageOf } from '../../shared/http/pagination/page.js';
import { DAY_MS } from '../../shared/time/days.js';
import { selectClients } from './client-list.statement.js';
import { toClient } from './client.rows.js';
import { toLicense } from './license.rows.js';
import { toProject } from './project.rows.js';
import type { Row } from './rows.js';
import { SqliteStore } from './sqlite-store.js';

/** The newest children of each parent in a JSON array of ids: each parent's are looked up by an index. */
const newestOf = (table: string, parent: string) =>
  `SELECT child.* FROM json_each(?) AS given JOIN ${table} AS child ON child._id IN (
     SELECT _id FROM ${table} WHERE ${parent} = given.value
     ORDER BY createdAt DESC, _id DESC LIMIT ${SHOWN})
   ORDER BY child.createdAt DESC, child._id DESC`;

@Injectable()
export class SqliteDashboardRepository extends DashboardRepository {
  private readonly selectTotals;
  private readonly selectProjects;
  private readonly selectLicenses;
  private readonly countByStatus;
  private readonly countExpiring;
  private readonly countActivations;

  constructor(private readonly store: SqliteStore) {
    super();
    this.selectTotals = store.prepare('SELECT * FROM totals WHERE owner = ?');
    this.selectProjects = store.prepare(newestOf('projects', 'client'));
    this.selectLicenses = store.prepare(newestOf('licenses', 'project'));
    this.countByStatus = store.prepare(
      `SELECT status, status = 'ACTIVE' AND expiresAt <= ? AS expired, count(*) AS count
       FROM licenses WHERE user = ? GROUP BY status, expired`,
    );
    this.countExpiring = store.prepare(
      `SELECT count(*) AS count FROM licenses
       WHERE user = ? AND status = 'ACTIVE' AND expiresAt > ? AND expiresAt <= ?`,
    );
    this.countActivations = store.prepare(
      `SELECT activatedAt / ${DAY_MS} AS day, count(*) AS count FROM licenses
       WHERE user = ? AND activatedAt >= ? GROUP BY day ORDER BY day`,
    );
  }

  async read(user: string, filter: DashboardFilter, page: PageRequest): Promise<Dashboard> {
    const clients = selectClients(this.store, user, filter, page);
    const projects = this.selectProjects.all(idsOf(clients.slice(0, page.limit))) as Row[];
    const licenses = this.selectLicenses.all(idsOf(projects)) as Row[];

    const licensesOf = groupBy(licenses, 'project');
    const projectsOf = groupBy(projects, 'client');
    const toProjectOverview = (row: Row): ProjectOverview => ({
      project: toProject(row),
      licensesCount: Number(row.licensesCount),
      licenses: (licensesOf.get(row._id) ?? []).map(toLicense),
    });
    const toClientOverview = (row: Row): ClientOverview => ({
      client: toClient(row),
      projectsCount: Number(row.projectsCount),
      projects: (projectsOf.get(row._id) ?? []).map(toProjectOverview),
    });
    const overviews = clients.map(toClientOverview);
    return {
      totals: this.totalsOf(user),
      page: pageOf(overviews, page.limit, ({ client }) => byCreation(client)),
    };
  }

  async countLicenses(
    user: string,
    { now, expiringBy, activatedSince }: CountQuery,
  ): Promise<LicenseCounts> {
    const rows = this.countByStatus.all(now.getTime(), user) as Row[];
    const count = (status: string, expired = 0) =>
      Number(rows.find((row) => row.status === status && row.expired === expired)?.count ?? 0);
    const expiring = (by: Date) =>
      this.countExpiring.get(user, now.getTime(), by.getTime()) as { count: number };
    const activations = this.countActivations.all(user, activatedSince.getTime()) as Row[];
    return {
      pending: count('PENDING'),
      active: count('ACTIVE'),
      expired: count('ACTIVE', 1),
      revoked: count('REVOKED'),
      expiringBy: expiringBy.map((by) => expiring(by).count),
      activations: activations.map((row) => ({
        date: new Date(Number(row.day) * DAY_MS).toISOString().slice(0, 10),
        count: Number(row.count),
      })),
    };
  }

  private totalsOf(user: string): Totals {
    const row = this.selectTotals.get(user) as Row | undefined;
    return {
      clientsCount: Number(row?.clientsCount ?? 0),
      projectsCount: Number(row?.projectsCount ?? 0),
      licensesCount: Number(row?.licensesCount ?? 0),
    };
  }
}

const idsOf = (rows: readonly Row[]) => JSON.stringify(rows.map(({ _id }) => _id));

function groupBy(rows: readonly Row[], column: string): Map<Row[string] | undefined, Row[]> {
  const groups = new Map<Row[string] | undefined, Row[]>();
  for (const row of rows) {
    const group = groups.get(row[column]);
    if (group) group.push(row);
    else groups.set(row[column], [row]);
  }
  return groups;
}
