import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type ClientSession, type Model, Types } from 'mongoose';
import {
  AccountDeletionRepository,
  CLIENTS_AT_ONCE,
  LICENSES_AT_ONCE,
} from '../../auth/accounts/account-deletion.repository.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { hasStatus } from './license-filters.js';
import { MongoStore } from './mongo-store.js';
import { MongoTotals } from './mongo-totals.js';
import { ClientRecord } from './schemas/client.schema.js';
import { DeletedAccountRecord } from './schemas/deleted-account.schema.js';
import { StoredIdempotencyRecord } from './schemas/idempotency-record.schema.js';
import { LicenseEventRecord } from './schemas/license-event.schema.js';
import { LicenseRecord } from './schemas/license.schema.js';
import { LoginAddressRecord } from './schemas/login-address.schema.js';
import { ProjectRecord } from './schemas/project.schema.js';
import { SessionRecord } from './schemas/session.schema.js';
import { UserRecord } from './schemas/user.schema.js';

/** Each change of a project or a license meanwhile changes a record that is deleted here: one of the two commits. */
@Injectable()
export class MongoAccountDeletionRepository extends AccountDeletionRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly totals: MongoTotals,
    @InjectModel(UserRecord.name) private readonly users: Model<UserRecord>,
    @InjectModel(SessionRecord.name) private readonly sessions: Model<SessionRecord>,
    @InjectModel(LoginAddressRecord.name) private readonly addresses: Model<LoginAddressRecord>,
    @InjectModel(DeletedAccountRecord.name) private readonly deleted: Model<DeletedAccountRecord>,
    @InjectModel(ClientRecord.name) private readonly clients: Model<ClientRecord>,
    @InjectModel(ProjectRecord.name) private readonly projects: Model<ProjectRecord>,
    @InjectModel(LicenseRecord.name) private readonly licenses: Model<LicenseRecord>,
    @InjectModel(StoredIdempotencyRecord.name)
    private readonly records: Model<StoredIdempotencyRecord>,
    @InjectModel(LicenseEventRecord.name) private readonly events: Model<LicenseEventRecord>,
  ) {
    super();
  }

  async hasActiveLicenses(user: AccountId, now: Date): Promise<boolean> {
    const active = { user: new Types.ObjectId(user), ...hasStatus('ACTIVE', now) };
    return (await this.store.run(() => this.licenses.exists(active))) !== null;
  }

  deleteFromProject(
    user: AccountId,
    keepActiveAt: Date | null,
  ): Promise<'deleted' | 'has_active_licenses' | 'no_projects'> {
    const owner = new Types.ObjectId(user);
    return this.store.transaction(user, async (tx) => {
      const project = await this.projects.findOne({ owner }, null, { session: tx }).lean();
      if (!project) return 'no_projects';
      if (keepActiveAt) {
        const active = { project: project._id, ...hasStatus('ACTIVE', keepActiveAt) };
        if (await this.licenses.exists(active).session(tx)) return 'has_active_licenses';
      }
      const licensesCount = await this.deleteLicenses(project._id, tx);
      if (licensesCount < project.licensesCount) {
        const $inc = { licensesCount: -licensesCount };
        await this.projects.updateOne({ _id: project._id }, { $inc }, { session: tx });
        await this.totals.change(owner, { licensesCount: -licensesCount }, tx);
        return 'deleted';
      }
      await this.projects.deleteOne({ _id: project._id }, { session: tx });
      const $inc = { projectsCount: -1 };
      await this.clients.updateOne({ _id: project.client }, { $inc }, { session: tx });
      await this.totals.change(owner, { projectsCount: -1, licensesCount: -licensesCount }, tx);
      return 'deleted';
    });
  }

  deleteClients(user: AccountId): Promise<'deleted' | 'no_clients'> {
    const owner = new Types.ObjectId(user);
    return this.store.transaction(user, async (tx) => {
      const some = await this.clients
        .find({ owner, projectsCount: 0 }, { _id: 1 }, { session: tx })
        .limit(CLIENTS_AT_ONCE)
        .lean();
      if (some.length === 0) return 'no_clients';
      const ids = some.map(({ _id }) => _id);
      await this.clients.deleteMany({ _id: { $in: ids } }, { session: tx });
      await this.totals.change(owner, { clientsCount: -ids.length }, tx);
      return 'deleted';
    });
  }

  async deleteEmpty(_id: string, now: Date): Promise<'deleted' | 'has_clients'> {
    const user = new Types.ObjectId(_id);
    const outcome = await this.store.transaction(_id, async (tx) => {
      if (await this.clients.exists({ owner: user }).session(tx)) return 'has_clients';
      // The creation of a client changes the totals, too: one that has begun before this finds the account deleted.
      await this.totals.remove(user, tx);
      await this.deleted.updateOne(
        { _id: user },
        { $set: { deletedAt: now } },
        { session: tx, upsert: true },
      );
      await this.sessions.deleteMany({ user }, { session: tx });
      await this.addresses.deleteMany({ user }, { session: tx });
      await this.users.deleteOne({ _id: user }, { session: tx });
      return 'deleted' as const;
    });
    // Outside of the transaction, which they would make too large. Those that stay behind a crash expire in a day.
    if (outcome === 'deleted') await this.store.run(() => this.records.deleteMany({ owner: user }));
    return outcome;
  }

  private async deleteLicenses(project: Types.ObjectId, tx: ClientSession): Promise<number> {
    const some = await this.licenses
      .find({ project }, { _id: 1 }, { session: tx })
      .limit(LICENSES_AT_ONCE)
      .lean();
    const ids = some.map(({ _id }) => _id);
    await this.events.deleteMany({ license: { $in: ids } }, { session: tx });
    await this.licenses.deleteMany({ _id: { $in: ids } }, { session: tx });
    return ids.length;
  }
}
