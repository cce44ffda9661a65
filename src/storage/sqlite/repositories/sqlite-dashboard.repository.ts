import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  type ClientOverview,
  type Dashboard,
  type LicenseCounts,
  licensesShown,
  MOST_LICENSES,
  type ProjectOverview,
  SHOWN,
  type Totals,
} from '../../../dashboard/dashboard.js';
import {
  type CountQuery,
  type DashboardFilter,
  DashboardRepository,
} from '../../../dashboard/dashboard.repository.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { byCreation, type PageRequest, pageOf } from '../../../shared/pagination/page.js';
import { DAY_MS } from '../../../shared/time/days.js';
import { selectClients } from './client-list.statement.js';
import { type Row, toClient, toLicense, toProject } from './rows.js';
import { SqliteDeletedProjects } from './sqlite-deleted-projects.js';
import { SqliteStore } from '../connection/sqlite-store.js';

const SELECT_PROJECTS = `SELECT * FROM projects WHERE client = ?
  ORDER BY createdAt DESC, _id DESC LIMIT ${SHOWN}`;

/** The newest licenses of each project in a JSON array of ids: each project's are looked up by an index. */
const SELECT_LICENSES = `SELECT license.* FROM json_each(?) AS given JOIN licenses AS license ON license._id IN (
    SELECT _id FROM licenses WHERE project = given.value
    ORDER BY createdAt DESC, _id DESC LIMIT ${SHOWN})
  ORDER BY license.createdAt DESC, license._id DESC`;

@Injectable()
export class SqliteDashboardRepository extends DashboardRepository {
  private readonly selectTotals;
  private readonly selectClient;
  private readonly selectProjects;
  private readonly selectLicenses;
  private readonly countAll;
  private readonly countOfProject;

  constructor(
    private readonly store: SqliteStore,
    private readonly deletedProjects: SqliteDeletedProjects,
  ) {
    super();
    this.selectTotals = store.prepare('SELECT * FROM totals WHERE owner = ?');
    this.selectClient = store.prepare('SELECT * FROM clients WHERE _id = ?');
    this.selectProjects = store.prepare(SELECT_PROJECTS);
    this.selectLicenses = store.prepare(SELECT_LICENSES);
    this.countAll = counting(store, 'user');
    this.countOfProject = counting(store, 'project');
  }

  async read(account: AccountId, filter: DashboardFilter, page: PageRequest): Promise<Dashboard> {
    const found = selectClients(this.store, account, filter, page).map(toClient);
    const data: ClientOverview[] = [];
    let read = 0;
    let room = MOST_LICENSES;
    for (const { _id } of found.slice(0, page.limit)) {
      const projects = this.selectProjects.all(_id).map((row) => toProjectOverview(row as Row));
      room -= licensesShown(projects);
      if (room < 0) break;
      // Read again: another request may have changed or deleted the client since it was found.
      const client = this.selectClient.get(_id) as Row | undefined;
      if (client) data.push(toClientOverview(client, this.withLicenses(projects)));
      read += 1;
      // Lets other requests run between two clients.
      await setImmediate();
    }
    const { next } = pageOf(found, read, byCreation);
    return { totals: this.totalsOf(account), page: { data, next } };
  }

  /** Licenses of deleted projects are counted and subtracted: skipping them would read every license. */
  async countLicenses(account: AccountId, query: CountQuery): Promise<LicenseCounts> {
    const deleted = this.deletedProjects.list(account);
    return deleted
      .map((project) => this.countOfProject(project, query))
      .reduce(minus, this.countAll(account, query));
  }

  private withLicenses(projects: readonly ProjectOverview[]): ProjectOverview[] {
    const ids = JSON.stringify(projects.map(({ project }) => project._id));
    const licenses = this.selectLicenses.all(ids).map((row) => toLicense(row as Row));
    return projects.map((overview) => ({
      ...overview,
      licenses: licenses.filter(({ project }) => project === overview.project._id),
    }));
  }

  private totalsOf(account: AccountId): Totals {
    const row = this.selectTotals.get(account) as Row | undefined;
    return {
      clientsCount: Number(row?.clientsCount ?? 0),
      projectsCount: Number(row?.projectsCount ?? 0),
      licensesCount: Number(row?.licensesCount ?? 0),
    };
  }
}

/** A project as its row shows it: still without its licenses. */
const toProjectOverview = (row: Row): ProjectOverview => ({
  project: toProject(row),
  licensesCount: Number(row.licensesCount),
  licenses: [],
});

const toClientOverview = (row: Row, projects: readonly ProjectOverview[]): ClientOverview => ({
  client: toClient(row),
  projectsCount: Number(row.projectsCount),
  projects,
});

/** Counts licenses by an index alone. */
function counting(store: SqliteStore, column: 'user' | 'project') {
  const countByStatus = store.prepare(
    `SELECT status, status = 'ACTIVE' AND expiresAt <= ? AS expired, count(*) AS count
     FROM licenses WHERE ${column} = ? GROUP BY status, expired`,
  );
  const countExpiring = store.prepare(
    `SELECT count(*) AS count FROM licenses
     WHERE ${column} = ? AND status = 'ACTIVE' AND expiresAt > ? AND expiresAt <= ?`,
  );
  const countActivations = store.prepare(
    `SELECT activatedAt / ${DAY_MS} AS day, count(*) AS count FROM licenses
     WHERE ${column} = ? AND activatedAt >= ? GROUP BY day ORDER BY day`,
  );
  return (of: string, { now, expiringBy, activatedSince }: CountQuery): LicenseCounts => {
    const rows = countByStatus.all(now.getTime(), of) as Row[];
    const count = (status: string, expired = 0) =>
      Number(rows.find((row) => row.status === status && row.expired === expired)?.count ?? 0);
    const expiring = (by: Date) =>
      countExpiring.get(of, now.getTime(), by.getTime()) as { count: number };
    const activations = countActivations.all(of, activatedSince.getTime()) as Row[];
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
  };
}

/** The counts of an account without those of a part of its licenses. */
function minus(all: LicenseCounts, part: LicenseCounts): LicenseCounts {
  const days = new Map(part.activations.map(({ date, count }) => [date, count]));
  return {
    pending: all.pending - part.pending,
    active: all.active - part.active,
    expired: all.expired - part.expired,
    revoked: all.revoked - part.revoked,
    expiringBy: all.expiringBy.map((count, index) => count - (part.expiringBy[index] ?? 0)),
    activations: all.activations
      .map(({ date, count }) => ({ date, count: count - (days.get(date) ?? 0) }))
      .filter(({ count }) => count > 0),
  };
}
