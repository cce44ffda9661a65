import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import {
  AccountDeletionRepository,
  CLIENTS_AT_ONCE,
} from '../../../auth/accounts/account-deletion.repository.js';
import { LICENSES_AT_ONCE } from '../../../shared/deletion/deleted-licenses.repository.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { MongoStore } from '../connection/mongo-store.js';
import { readSnapshot } from './deleted-projects.js';
import { hasStatus } from './filters.js';
import { deleteLicenses } from './license-writes.js';
import { deleteSigningKeys } from './mongo-signing-keys.repository.js';
import { changeTotals, deleteTotals } from './totals.js';

/** Any concurrent change of a project or a license changes a record that is deleted here: only one of the two commits. */
@Injectable()
export class MongoAccountDeletionRepository extends AccountDeletionRepository {
  constructor(private readonly store: MongoStore) {
    super();
  }

  hasActiveLicenses(account: AccountId, now: Date): Promise<boolean> {
    const user = new Types.ObjectId(account);
    return readSnapshot(this.store, user, async ({ session, isNotDeleted }) => {
      const active = { user, ...isNotDeleted, ...hasStatus('ACTIVE', now) };
      const found = await this.store.run(({ licenses }) =>
        licenses.findOne(active, { _id: 1 }).session(session).readConcern('snapshot').lean(),
      );
      return found !== null;
    });
  }

  deleteProject(
    account: AccountId,
    keepsActive: boolean,
    now: Date,
  ): Promise<'deleted' | 'has_active_licenses' | 'no_projects'> {
    const owner = new Types.ObjectId(account);
    return this.store.transaction(account, async (tx) => {
      const { clients, projects, licenses, session } = tx;
      const project = await projects.findOne({ owner }, null, { session }).lean();
      if (!project) return 'no_projects';
      const { _id, client, licensesCount } = project;
      if (keepsActive) {
        const active = { project: _id, ...hasStatus('ACTIVE', now) };
        if (await licenses.exists(active).session(session)) return 'has_active_licenses';
      }
      const deleted = await deleteLicenses(tx, _id, LICENSES_AT_ONCE);
      if (deleted < licensesCount) {
        await projects.updateOne({ _id }, { $inc: { licensesCount: -deleted } }, { session });
        await changeTotals(tx, owner, { licensesCount: -deleted });
        return 'deleted';
      }
      await projects.deleteOne({ _id }, { session });
      await clients.updateOne({ _id: client }, { $inc: { projectsCount: -1 } }, { session });
      await changeTotals(tx, owner, { projectsCount: -1, licensesCount: -deleted });
      return 'deleted';
    });
  }

  deleteClients(account: AccountId): Promise<'deleted' | 'no_clients'> {
    const owner = new Types.ObjectId(account);
    return this.store.transaction(account, async (tx) => {
      const { clients, session } = tx;
      const found = await clients
        .find({ owner, projectsCount: 0 }, { _id: 1 }, { session })
        .limit(CLIENTS_AT_ONCE)
        .lean();
      if (found.length === 0) return 'no_clients';
      const ids = found.map(({ _id }) => _id);
      await clients.deleteMany({ _id: { $in: ids } }, { session });
      await changeTotals(tx, owner, { clientsCount: -ids.length });
      return 'deleted';
    });
  }

  async deleteEmpty(account: AccountId, now: Date): Promise<'deleted' | 'has_clients'> {
    const user = new Types.ObjectId(account);
    const outcome = await this.store.transaction(account, async (tx) => {
      const { session } = tx;
      if (await tx.clients.exists({ owner: user }).session(session)) return 'has_clients';
      // Creating a client changes the totals, too: a concurrent creation is retried and finds the account deleted.
      await deleteTotals(tx, user);
      await tx.deletedAccounts.updateOne(
        { _id: user },
        { $set: { deletedAt: now } },
        { session, upsert: true },
      );
      await tx.sessions.deleteMany({ user }, { session });
      await tx.loginAddresses.deleteMany({ user }, { session });
      await deleteSigningKeys(tx, user);
      await tx.users.deleteOne({ _id: user }, { session });
      return 'deleted' as const;
    });
    // Outside the transaction, which would become too large. Records that a crash leaves behind expire within a day.
    if (outcome === 'deleted') {
      await this.store.run(({ idempotencyRecords }) =>
        idempotencyRecords.deleteMany({ owner: user }),
      );
    }
    return outcome;
  }
}
