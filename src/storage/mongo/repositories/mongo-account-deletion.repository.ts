import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import {
  AccountDeletionRepository,
  CLIENTS_AT_ONCE,
} from '../../../auth/accounts/account-deletion.repository.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { MongoStore } from '../connection/mongo-store.js';
import { deleteProject } from './delete-project.js';
import { readSnapshot } from './deleted-projects.js';
import { hasStatus } from './filters.js';
import { deleteSigningKeys } from './mongo-signing-keys.repository.js';
import { changeTotals, deleteTotals } from './totals.js';

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

  async deleteProject(
    account: AccountId,
    keepsActive: boolean,
    now: Date,
  ): Promise<'deleted' | 'has_active_licenses' | 'no_projects'> {
    const owner = new Types.ObjectId(account);
    const outcome = await deleteProject(
      this.store,
      account,
      { owner },
      keepsActive ? now : undefined,
    );
    return outcome === 'not_found' ? 'no_projects' : outcome;
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
