import type { Page, PageRequest } from '../shared/pagination/page.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids/account-id.js';
import type { Client } from './client.js';

/** The port to the stored clients. Every method but `create` accesses the clients of one account only. */
export abstract class ClientsRepository {
  /**
   * Stores a client, unless a client of any account has its e-mail address, or the owner's account was
   * deleted: an access token can outlive it by 15 minutes.
   *
   * @throws IdempotencyKeyTaken; DomainError CLIENT_QUOTA_REACHED, IDEMPOTENCY_QUOTA_REACHED
   */
  abstract create(
    client: Client,
    idempotency?: IdempotencyRecord,
  ): Promise<Client | 'email_taken' | 'account_deleted'>;

  abstract findOwned(_id: string, accountId: AccountId): Promise<Client | null>;

  /**
   * A page of the account's clients, newest first.
   *
   * @param search the beginning of a name or an e-mail address in its {@link searchForm}, or undefined
   */
  abstract listOwned(
    accountId: AccountId,
    search: string | undefined,
    page: PageRequest,
  ): Promise<Page<Client>>;

  /** Changes the given fields, unless another client has the e-mail address. */
  abstract update(
    _id: string,
    accountId: AccountId,
    changes: ClientChanges,
    now: Date,
  ): Promise<Client | 'not_found' | 'email_taken'>;

  /** Deletes a client that has no projects; none can be added meanwhile. */
  abstract deleteWithoutProjects(
    _id: string,
    accountId: AccountId,
  ): Promise<'deleted' | 'not_found' | 'has_projects'>;
}

/** The fields of a client that can be changed. */
export type ClientChanges = Partial<Pick<Client, 'name' | 'email'>>;
