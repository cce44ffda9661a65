import { Injectable } from '@nestjs/common';
import type { Client } from '../../../clients/client.js';
import { type ClientChanges, ClientsRepository } from '../../../clients/clients.repository.js';
import {
  byCreation,
  type Page,
  type PageRequest,
  pageOf,
} from '../../../shared/pagination/page.js';
import type { IdempotencyRecord } from '../../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { searchForm } from '../../../shared/search/search-form.js';
import { selectClients } from './client-list.statement.js';
import { insertInto, type Row, toClient, toRow, withSearchForms } from './rows.js';
import { SqliteIdempotencyRepository } from './sqlite-idempotency.repository.js';
import { SqliteQuotas } from './sqlite-quotas.js';
import { SqliteStore } from '../connection/sqlite-store.js';

const COLUMNS = [
  '_id',
  'name',
  'searchName',
  'email',
  'searchEmail',
  'owner',
  'createdAt',
  'updatedAt',
];

@Injectable()
export class SqliteClientsRepository extends ClientsRepository {
  private readonly selectDeletedAccount;
  private readonly insert;
  private readonly selectOwned;
  private readonly updateOwned;
  private readonly deleteUnused;

  constructor(
    private readonly store: SqliteStore,
    private readonly records: SqliteIdempotencyRepository,
    private readonly quotas: SqliteQuotas,
  ) {
    super();
    this.selectDeletedAccount = store.prepare('SELECT 1 FROM deleted_accounts WHERE _id = ?');
    this.insert = store.prepare(`${insertInto('clients', COLUMNS)} ON CONFLICT (email) DO NOTHING`);
    this.selectOwned = store.prepare('SELECT * FROM clients WHERE _id = ? AND owner = ?');
    this.updateOwned = store.prepare(
      `UPDATE OR IGNORE clients SET name = ifnull($name, name),
         searchName = ifnull($searchName, searchName), email = ifnull($email, email),
         searchEmail = ifnull($searchEmail, searchEmail), updatedAt = $now
       WHERE _id = $_id AND owner = $owner RETURNING *`,
    );
    this.deleteUnused = store.prepare(
      'DELETE FROM clients WHERE _id = ? AND owner = ? AND projectsCount = 0',
    );
  }

  create(
    client: Client,
    idempotency?: IdempotencyRecord,
  ): Promise<Client | 'email_taken' | 'account_deleted'> {
    return this.records.runOnce(idempotency, () => {
      if (this.selectDeletedAccount.get(client.owner)) return 'account_deleted';
      if (this.insert.run(toRow(withSearchForms(client))).changes === 0) return 'email_taken';
      this.quotas.check(client.owner, { clientsCount: 1 });
      return client;
    });
  }

  async findOwned(_id: string, account: AccountId): Promise<Client | null> {
    const row = this.selectOwned.get(_id, account) as Row | undefined;
    return row ? toClient(row) : null;
  }

  async listOwned(
    account: AccountId,
    search: string | undefined,
    page: PageRequest,
  ): Promise<Page<Client>> {
    const rows = selectClients(this.store, account, { search }, page);
    return pageOf(rows.map(toClient), page.limit, byCreation);
  }

  update(
    _id: string,
    account: AccountId,
    { name, email }: ClientChanges,
    now: Date,
  ): Promise<Client | 'not_found' | 'email_taken'> {
    return this.store.write(() => {
      const row = this.updateOwned.get({
        _id,
        owner: account,
        now: now.getTime(),
        name: name ?? null,
        searchName: name === undefined ? null : searchForm(name),
        email: email ?? null,
        searchEmail: email === undefined ? null : searchForm(email),
      }) as Row | undefined;
      if (row) return toClient(row);
      return this.selectOwned.get(_id, account) ? 'email_taken' : 'not_found';
    });
  }

  deleteWithoutProjects(
    _id: string,
    account: AccountId,
  ): Promise<'deleted' | 'not_found' | 'has_projects'> {
    return this.store.write(() => {
      if (this.deleteUnused.run(_id, account).changes === 1) return 'deleted';
      return this.selectOwned.get(_id, account) ? 'has_projects' : 'not_found';
    });
  }
}
