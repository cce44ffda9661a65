import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { hasStatus } from './license-filters.js';
import { MongoTotals } from './mongo-totals.js';
import { ClientRecord } from './schemas/client.schema.js';
import { LicenseEventRecord } from './schemas/license-event.schema.js';
import { LicenseRecord } from './schemas/license.schema.js';
import { ProjectRecord } from './schemas/project.schema.js';

/** Deletes projects with all that is below them. */
@Injectable()
export class MongoProjectDeletion {
  constructor(
    private readonly totals: MongoTotals,
    @InjectModel(ClientRecord.name) private readonly clients: Model<ClientRecord>,
    @InjectModel(ProjectRecord.name) private readonly projects: Model<ProjectRecord>,
    @InjectModel(LicenseRecord.name) private readonly licenses: Model<LicenseRecord>,
    @InjectModel(LicenseEventRecord.name) private readonly events: Model<LicenseEventRecord>,
  ) {}

  /**
   * Whatever comes below the project meanwhile, and each change of a license, changes a record that is
   * deleted here: the server lets one of the two commit.
   */
  async delete(
    { _id, owner }: Pick<ProjectRecord, '_id' | 'owner'>,
    now: Date,
    tx: ClientSession,
  ): Promise<'deleted' | 'not_found' | 'has_active_licenses'> {
    const project = await this.projects.findOne({ _id, owner }, null, { session: tx }).lean();
    if (!project) return 'not_found';
    const active = { project: _id, ...hasStatus('ACTIVE', now) };
    if (await this.licenses.exists(active).session(tx)) return 'has_active_licenses';

    await this.projects.deleteOne({ _id }, { session: tx });
    const licensesCount = await this.deleteLicenses(_id, tx);
    const $inc = { projectsCount: -1 };
    await this.clients.updateOne({ _id: project.client }, { $inc }, { session: tx });
    await this.totals.change(owner, { projectsCount: -1, licensesCount: -licensesCount }, tx);
    return 'deleted';
  }

  private async deleteLicenses(project: Types.ObjectId, tx: ClientSession): Promise<number> {
    const licenses = await this.licenses.find({ project }, { _id: 1 }, { session: tx }).lean();
    const ids = licenses.map(({ _id }) => _id);
    await this.events.deleteMany({ license: { $in: ids } }, { session: tx });
    await this.licenses.deleteMany({ project }, { session: tx });
    return ids.length;
  }
}
