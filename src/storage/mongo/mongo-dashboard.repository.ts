import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type PipelineStage, Types } from 'mongoose';
import { type Dashboard, type LicenseCounts, SHOWN } from '../../dashboard/dashboard.js';
import {
  type CountQuery,
  type DashboardFilter,
  DashboardRepository,
} from '../../dashboard/dashboard.repository.js';
import { byCreation, type PageRequest, pageOf } from '../../shared/http/pagination/page.js';
import { beginsWith } from './client-filters.js';
import { MongoLicenseCounts } from './mongo-license-counts.js';
import { MongoStore } from './mongo-store.js';
import { MongoTotals } from './mongo-totals.js';
import { comesAfter } from './positions.js';
import { ClientRecord } from './schemas/client.schema.js';
import { type ClientTree, toClientOverview } from './schemas/dashboard.mapper.js';

const NEWEST_FIRST: PipelineStage.Sort = { $sort: { createdAt: -1, _id: -1 } };

/** The newest records of a collection that refer to a record: as many as are shown, found by an index. */
const newest = (
  from: string,
  foreignField: string,
  ...below: PipelineStage.Lookup[]
): PipelineStage.Lookup => ({
  $lookup: {
    from,
    as: from,
    localField: '_id',
    foreignField,
    pipeline: [NEWEST_FIRST, { $limit: SHOWN }, ...below],
  },
});

@Injectable()
export class MongoDashboardRepository extends DashboardRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly totals: MongoTotals,
    private readonly counts: MongoLicenseCounts,
    @InjectModel(ClientRecord.name) private readonly clients: Model<ClientRecord>,
  ) {
    super();
  }

  async read(user: string, filter: DashboardFilter, page: PageRequest): Promise<Dashboard> {
    const owner = new Types.ObjectId(user);
    const [totals, trees] = await Promise.all([
      this.totals.of(owner),
      this.readTrees(owner, filter, page),
    ]);
    const overviews = trees.map(toClientOverview);
    return { totals, page: pageOf(overviews, page.limit, ({ client }) => byCreation(client)) };
  }

  countLicenses(user: string, query: CountQuery): Promise<LicenseCounts> {
    return this.counts.count(new Types.ObjectId(user), query);
  }

  private readTrees(
    owner: Types.ObjectId,
    { client, search }: DashboardFilter,
    { limit, after }: PageRequest,
  ): Promise<ClientTree[]> {
    const $match = {
      owner,
      ...(client !== undefined && { _id: new Types.ObjectId(client) }),
      $and: [beginsWith(search), comesAfter(after, 'createdAt')],
    };
    return this.store.run(() =>
      this.clients.aggregate<ClientTree>([
        { $match },
        NEWEST_FIRST,
        { $limit: limit + 1 },
        newest('projects', 'client', newest('licenses', 'project')),
      ]),
    );
  }
}
