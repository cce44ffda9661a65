import { Injectable } from '@nestjs/common';
import { type ClientSession, type PipelineStage, Types } from 'mongoose';
import {
  type ClientOverview,
  type Dashboard,
  type DayCount,
  type LicenseCounts,
  licensesShown,
  MOST_LICENSES,
  SHOWN,
} from '../../../dashboard/dashboard.js';
import {
  type CountQuery,
  type DashboardFilter,
  DashboardRepository,
} from '../../../dashboard/dashboard.repository.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { byCreation, type PageRequest, pageOf } from '../../../shared/pagination/page.js';
import { DAY_MS } from '../../../shared/time/days.js';
import { MongoStore } from '../connection/mongo-store.js';
import { type ClientRecord, toClient } from '../schemas/client.schema.js';
import { type LicenseRecord, toLicense } from '../schemas/license.schema.js';
import { type ProjectRecord, toProject } from '../schemas/project.schema.js';
import { readSnapshot } from './deleted-projects.js';
import { beginsWith, comesAfter, hasStatus } from './filters.js';
import { readTotals } from './totals.js';

/** A client with its newest projects. */
interface ClientWithProjects extends ClientRecord {
  readonly projects: readonly ProjectRecord[];
}

/** The newest licenses of projects, by the id of the project. */
type LicensesByProject = ReadonlyMap<string, readonly LicenseRecord[]>;

/** Days since 1970, UTC; the calendar operators take more than twice as long. */
const DAY_OF_ACTIVATION = {
  $floor: { $divide: [{ $subtract: ['$activatedAt', new Date(0)] }, DAY_MS] },
};

const NEWEST_FIRST: PipelineStage.Sort = { $sort: { createdAt: -1, _id: -1 } };

/** The newest records of a collection that refer to a record, as many as are shown, without events; found by an index. */
const newest = (from: string, foreignField: string): PipelineStage.Lookup => ({
  $lookup: {
    from,
    as: from,
    localField: '_id',
    foreignField,
    pipeline: [NEWEST_FIRST, { $limit: SHOWN }, { $unset: 'events' }],
  },
});

@Injectable()
export class MongoDashboardRepository extends DashboardRepository {
  constructor(private readonly store: MongoStore) {
    super();
  }

  async read(account: AccountId, filter: DashboardFilter, page: PageRequest): Promise<Dashboard> {
    const owner = new Types.ObjectId(account);
    const [[totals], { found, shown, licenses }] = await Promise.all([
      readTotals(this.store, [owner]),
      this.store.snapshot(async (session) => {
        const found = await this.readClients(owner, filter, page, session);
        const shown = fitting(found.slice(0, page.limit));
        return { found, shown, licenses: await this.readLicenses(shown, session) };
      }),
    ]);
    const data = shown.map((client) => toClientOverview(client, licenses));
    const { next } = pageOf(found.map(toClient), shown.length, byCreation);
    return { totals: totals!, page: { data, next } };
  }

  /** Reads nothing but indexes, unless the account has deleted a project a moment ago. */
  countLicenses(
    account: AccountId,
    { now, expiringBy, activatedSince }: CountQuery,
  ): Promise<LicenseCounts> {
    const user = new Types.ObjectId(account);
    return readSnapshot(this.store, user, async ({ session, isNotDeleted }) => {
      const ofAccount = { user, ...isNotDeleted };
      const count = (condition: object) =>
        this.store.run(({ licenses }) =>
          licenses
            .countDocuments({ ...ofAccount, ...condition })
            .session(session)
            .readConcern('snapshot'),
        );
      const expiringAt = (by: Date) =>
        count({ status: 'ACTIVE', expiresAt: { $gt: now, $lte: by } });
      const [pending, active, expired, revoked, activations, ...expiring] = await Promise.all([
        count(hasStatus('PENDING', now)),
        count(hasStatus('ACTIVE', now)),
        count(hasStatus('EXPIRED', now)),
        count(hasStatus('REVOKED', now)),
        this.countActivations({ ...ofAccount, activatedAt: { $gte: activatedSince } }, session),
        ...expiringBy.map(expiringAt),
      ]);
      return { pending, active, expired, revoked, expiringBy: expiring, activations };
    });
  }

  private async countActivations($match: object, session: ClientSession): Promise<DayCount[]> {
    const days = await this.store.run(({ licenses }) =>
      licenses
        .aggregate<{ _id: number; count: number }>([
          { $match },
          { $group: { _id: DAY_OF_ACTIVATION, count: { $sum: 1 } } },
          { $sort: { _id: 1 } },
        ])
        .session(session)
        .readConcern('snapshot'),
    );
    return days.map(({ _id, count }) => ({
      date: new Date(_id * DAY_MS).toISOString().slice(0, 10),
      count,
    }));
  }

  private readClients(
    owner: Types.ObjectId,
    { client, search }: DashboardFilter,
    { limit, after }: PageRequest,
    session: ClientSession,
  ): Promise<ClientWithProjects[]> {
    const $match = {
      owner,
      ...(client !== undefined && { _id: new Types.ObjectId(client) }),
      $and: [beginsWith(search), comesAfter(after, 'createdAt')],
    };
    return this.store.run(({ clients }) =>
      clients
        .aggregate<ClientWithProjects>([
          { $match },
          NEWEST_FIRST,
          { $limit: limit + 1 },
          newest('projects', 'client'),
        ])
        .session(session)
        .readConcern('snapshot'),
    );
  }

  /** The newest licenses of each project of these clients. */
  private async readLicenses(
    clients: readonly ClientWithProjects[],
    session: ClientSession,
  ): Promise<LicensesByProject> {
    const ids = clients.flatMap(({ projects }) => projects.map(({ _id }) => _id));
    const found = await this.store.run(({ projects }) =>
      projects
        .aggregate<{ _id: Types.ObjectId; licenses: LicenseRecord[] }>([
          { $match: { _id: { $in: ids } } },
          { $project: { _id: 1 } },
          newest('licenses', 'project'),
        ])
        .session(session)
        .readConcern('snapshot'),
    );
    return new Map(found.map(({ _id, licenses }) => [_id.toHexString(), licenses]));
  }
}

const toClientOverview = (
  client: ClientWithProjects,
  licenses: LicensesByProject,
): ClientOverview => ({
  client: toClient(client),
  projectsCount: client.projectsCount,
  projects: client.projects.map((project) => ({
    project: toProject(project),
    licensesCount: project.licensesCount,
    licenses: (licenses.get(project._id.toHexString()) ?? []).map(toLicense),
  })),
});

/** The first of these clients, as many as have no more licenses than a page shows. */
function fitting(clients: readonly ClientWithProjects[]): readonly ClientWithProjects[] {
  let room = MOST_LICENSES;
  const end = clients.findIndex(({ projects }) => {
    room -= licensesShown(projects);
    return room < 0;
  });
  return end < 0 ? clients : clients.slice(0, end);
}
