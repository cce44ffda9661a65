import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import type { Client } from '../../clients/client.js';
import { type ClientChanges, ClientsRepository } from '../../clients/clients.repository.js';
import { byCreation, type Page, type PageRequest, pageOf } from '../../shared/pagination/page.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { searchForm } from '../../shared/search/search-form.js';
import { beginsWith, ownedClient } from './client-filters.js';
import { isDuplicateOf } from './duplicate-key.js';
import { insertRecord } from './insert-record.js';
import { MongoIdempotentWrites } from './mongo-idempotent-writes.js';
import { MongoStore } from './mongo-store.js';
import { MongoTotals } from './mongo-totals.js';
import { comesAfter } from './positions.js';
import { ClientRecord, toClient, toClientRecord } from './schemas/client.schema.js';
import { DeletedAccountRecord } from './schemas/deleted-account.schema.js';

@Injectable()
export class MongoClientsRepository extends ClientsRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly writes: MongoIdempotentWrites,
    private readonly totals: MongoTotals,
    @InjectModel(ClientRecord.name) private readonly clients: Model<ClientRecord>,
    @InjectModel(DeletedAccountRecord.name)
    private readonly deletedAccounts: Model<DeletedAccountRecord>,
  ) {
    super();
  }

  async create(
    client: Client,
    idempotency?: IdempotencyRecord,
  ): Promise<Client | 'email_taken' | 'account_deleted'> {
    const record = toClientRecord(client);
    try {
      return await this.writes.transaction(idempotency, client.owner, async (tx) => {
        if (await this.deletedAccounts.exists({ _id: record.owner }).session(tx)) {
          return 'account_deleted';
        }
        await insertRecord(this.clients, record, tx);
        await this.totals.change(record.owner, { clientsCount: 1 }, tx);
        return client;
      });
    } catch (error) {
      return emailTaken(error);
    }
  }

  async findOwned(_id: string, owner: AccountId): Promise<Client | null> {
    const record = await this.store.run(() => this.clients.findOne(ownedClient(_id, owner)).lean());
    return record && toClient(record);
  }

  async listOwned(
    owner: AccountId,
    search: string | undefined,
    { limit, after }: PageRequest,
  ): Promise<Page<Client>> {
    const records = await this.store.run(() =>
      this.clients
        .find({
          owner: new Types.ObjectId(owner),
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
    owner: AccountId,
    { name, email }: ClientChanges,
    now: Date,
  ): Promise<Client | 'not_found' | 'email_taken'> {
    const $set = {
      updatedAt: now,
      ...(name !== undefined && { name, searchName: searchForm(name) }),
      ...(email !== undefined && { email, searchEmail: searchForm(email) }),
    };
    try {
      const record = await this.store.run(() =>
        this.clients
          .findOneAndUpdate(ownedClient(_id, owner), { $set }, { returnDocument: 'after' })
          .lean(),
      );
      return record ? toClient(record) : 'not_found';
    } catch (error) {
      return emailTaken(error);
    }
  }

  deleteWithoutProjects(
    _id: string,
    owner: AccountId,
  ): Promise<'deleted' | 'not_found' | 'has_projects'> {
    const owned = ownedClient(_id, owner);
    return this.store.transaction(owner, async (tx) => {
      const unused = { ...owned, projectsCount: 0 };
      const { deletedCount } = await this.clients.deleteOne(unused, { session: tx });
      if (deletedCount === 0) {
        return (await this.clients.exists(owned).session(tx)) ? 'has_projects' : 'not_found';
      }
      await this.totals.change(owned.owner, { clientsCount: -1 }, tx);
      return 'deleted';
    });
  }
}

function emailTaken(error: unknown): 'email_taken' {
  if (isDuplicateOf('email', error)) return 'email_taken';
  throw error;
}
