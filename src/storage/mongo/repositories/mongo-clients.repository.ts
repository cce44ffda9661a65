import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Client } from '../../../clients/client.js';
import { type ClientChanges, ClientsRepository } from '../../../clients/clients.repository.js';
import { Config } from '../../../shared/config/config.js';
import type { IdempotencyRecord } from '../../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import {
  byCreation,
  type Page,
  type PageRequest,
  pageOf,
} from '../../../shared/pagination/page.js';
import { searchForm } from '../../../shared/search/search-form.js';
import { onDuplicate } from '../connection/driver-errors.js';
import { MongoStore } from '../connection/mongo-store.js';
import { insertRecord } from '../connection/statement-deadline.js';
import { toClient, toClientRecord } from '../schemas/client.schema.js';
import { beginsWith, comesAfter, ownedRecord } from './filters.js';
import { runOnce } from './mongo-idempotency.repository.js';
import { addToTotals, changeTotals, creationKey } from './totals.js';

@Injectable()
export class MongoClientsRepository extends ClientsRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly config: Config,
  ) {
    super();
  }

  async create(
    client: Client,
    idempotency?: IdempotencyRecord,
  ): Promise<Client | 'email_taken' | 'account_deleted'> {
    const record = toClientRecord(client);
    const { owner } = record;
    const { quotas } = this.config;
    const key = creationKey(client.owner, client._id);
    try {
      return await runOnce(this.store, quotas, idempotency, key, async (tx) => {
        const { clients, deletedAccounts, session } = tx;
        if (await deletedAccounts.exists({ _id: owner }).session(session)) return 'account_deleted';
        await insertRecord(clients, record, session);
        await addToTotals(tx, owner, record._id, { clientsCount: 1 }, quotas);
        return client;
      });
    } catch (error) {
      return emailTaken(error);
    }
  }

  async findOwned(_id: string, account: AccountId): Promise<Client | null> {
    const record = await this.store.run(({ clients }) =>
      clients.findOne(ownedRecord(_id, account)).lean(),
    );
    return record && toClient(record);
  }

  async listOwned(
    account: AccountId,
    search: string | undefined,
    { limit, after }: PageRequest,
  ): Promise<Page<Client>> {
    const records = await this.store.run(({ clients }) =>
      clients
        .find({
          owner: new Types.ObjectId(account),
          $and: [beginsWith(search), comesAfter(after, 'createdAt')],
        })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit + 1)
        .lean(),
    );
    return pageOf(records.map(toClient), limit, byCreation);
  }

  async update(
    _id: string,
    account: AccountId,
    { name, email }: ClientChanges,
    now: Date,
  ): Promise<Client | 'not_found' | 'email_taken'> {
    const $set = {
      updatedAt: now,
      ...(name !== undefined && { name, searchName: searchForm(name) }),
      ...(email !== undefined && { email, searchEmail: searchForm(email) }),
    };
    try {
      const record = await this.store.run(({ clients }) =>
        clients
          .findOneAndUpdate(ownedRecord(_id, account), { $set }, { returnDocument: 'after' })
          .lean(),
      );
      return record ? toClient(record) : 'not_found';
    } catch (error) {
      return emailTaken(error);
    }
  }

  deleteWithoutProjects(
    _id: string,
    account: AccountId,
  ): Promise<'deleted' | 'not_found' | 'has_projects'> {
    const owned = ownedRecord(_id, account);
    return this.store.transaction(account, async (tx) => {
      const { clients, session } = tx;
      const unused = { ...owned, projectsCount: 0 };
      const { deletedCount } = await clients.deleteOne(unused, { session });
      if (deletedCount === 0) {
        return (await clients.exists(owned).session(session)) ? 'has_projects' : 'not_found';
      }
      await changeTotals(tx, owned.owner, { clientsCount: -1 });
      return 'deleted';
    });
  }
}

const emailTaken = (error: unknown) => onDuplicate('email', 'email_taken', error);
