import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type PipelineStage, Types } from 'mongoose';
import {
  type Dashboard,
  type LicenseCounts,
  licensesShown,
  MOST_LICENSES,
  SHOWN,
} from '../../dashboard/dashboard.js';
import {
  type CountQuery,
  type DashboardFilter,
  DashboardRepository,
} from '../../dashboard/dashboard.repository.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { byCreation, type PageRequest, pageOf } from '../../shared/pagination/page.js';
import { beginsWith } from './client-filters.js';
import { MongoLicenseCounts } from './mongo-license-counts.js';
import { MongoStore } from './mongo-store.js';
import { MongoTotals } from './mongo-totals.js';
import { comesAfter } from './positions.js';
import { ClientRecord, toClient } from './schemas/client.schema.js';
import { type ClientWithProjects, toClientOverview } from './schemas/dashboard.mapper.js';
import type { LicenseRecord } from './schemas/license.schema.js';
import { ProjectRecord } from './schemas/project.schema.js';

const NEWEST_FIRST: PipelineStage.Sort = { $sort: { createdAt: -1, _id: -1 } };

/** The newest records of a collection that refer to a record: as many as are shown, found by an index. */
const newest = (from: string, foreignField: string): PipelineStage.Lookup => ({
  $lookup: {
    from,
    as: from,
    localField: '_id',
    foreignField,
    pipeline: [NEWEST_FIRST, { $limit: SHOWN }],
  },
});

@Injectable()
export class MongoDashboardRepository extends DashboardRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly totals: MongoTotals,
    private readonly counts: MongoLicenseCounts,
    @InjectModel(ClientRecord.name) private readonly clients: Model<ClientRecord>,
    @InjectModel(ProjectRecord.name) private readonly projects: Model<ProjectRecord>,
  ) {
    super();
  }

  async read(user: AccountId, filter: DashboardFilter, page: PageRequest): Promise<Dashboard> {
    const owner = new Types.ObjectId(user);
    const [totals, found] = await Promise.all([
      this.totals.of(owner),
      this.readClients(owner, filter, page),
    ]);
    const shown = fitting(found.slice(0, page.limit));
    const licenses = await this.readLicenses(shown);
    const { next } = pageOf(found.map(toClient), shown.length, byCreation);
    return { totals, page: { data: shown.map((tree) => toClientOverview(tree, licenses)), next } };
  }

  countLicenses(user: AccountId, query: CountQuery): Promise<LicenseCounts> {
    return this.counts.count(new Types.ObjectId(user), query);
  }

  private readClients(
    owner: Types.ObjectId,
    { client, search }: DashboardFilter,
    { limit, after }: PageRequest,
  ): Promise<ClientWithProjects[]> {
    const $match = {
      owner,
      ...(client !== undefined && { _id: new Types.ObjectId(client) }),
      $and: [beginsWith(search), comesAfter(after, 'createdAt')],
    };
    return this.store.run(() =>
      this.clients.aggregate<ClientWithProjects>([
        { $match },
        NEWEST_FIRST,
        { $limit: limit + 1 },
        newest('projects', 'client'),
      ]),
    );
  }

  /** The newest licenses of each project of these clients, by the project's id. */
  private async readLicenses(
    clients: readonly ClientWithProjects[],
  ): Promise<Map<string, LicenseRecord[]>> {
    const ids = clients.flatMap(({ projects }) => projects.map(({ _id }) => _id));
    const found = await this.store.run(() =>
      this.projects.aggregate<ProjectWithLicenses>([
        { $match: { _id: { $in: ids } } },
        { $project: { _id: 1 } },
        newest('licenses', 'project'),
      ]),
    );
    return new Map(found.map(({ _id, licenses }) => [_id.toHexString(), licenses]));
  }
}

interface ProjectWithLicenses {
  readonly _id: Types.ObjectId;
  readonly licenses: LicenseRecord[];
}

/** The first of these clients, as many as bring no more licenses than a page has. */
function fitting(clients: readonly ClientWithProjects[]): readonly ClientWithProjects[] {
  let room = MOST_LICENSES;
  const end = clients.findIndex(({ projects }) => {
    room -= licensesShown(projects);
    return room < 0;
  });
  return end < 0 ? clients : clients.slice(0, end);
}
