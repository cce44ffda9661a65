import { Injectable } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
import type { Page, PageRequest } from '../shared/pagination/page.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { IdempotentWrites } from '../shared/idempotency/idempotent-writes.service.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { Clock } from '../shared/time/clock.js';
import type { Client } from './client.js';
import { type ClientChanges, ClientsRepository } from './clients.repository.js';
import { EmailConflictLimiter } from './email-conflict-limiter.js';

@Injectable()
export class ClientsService {
  constructor(
    private readonly clients: ClientsRepository,
    private readonly conflicts: EmailConflictLimiter,
    private readonly idempotent: IdempotentWrites,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws DomainError CLIENT_EMAIL_TAKEN, TOO_MANY_REQUESTS, CLIENT_QUOTA_REACHED,
   *   IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED; UNAUTHORIZED where the account was deleted
   */
  create(
    accountId: AccountId,
    { name, email }: Pick<Client, 'name' | 'email'>,
    idempotency?: IdempotencyRecord,
  ): Promise<Client> {
    const now = this.clock.now();
    const client = {
      _id: newObjectId(),
      name,
      email,
      owner: accountId,
      createdAt: now,
      updatedAt: now,
    };
    return this.idempotent.once(idempotency, async () => {
      const created = await this.conflicts.run(accountId, () =>
        this.clients.create(client, idempotency),
      );
      if (created === 'email_taken') throw emailTaken();
      if (created === 'account_deleted') throw new DomainError('UNAUTHORIZED');
      return created;
    });
  }

  /** @throws DomainError CLIENT_NOT_FOUND */
  async get(_id: string, accountId: AccountId): Promise<Client> {
    const client = await this.clients.findOwned(_id, accountId);
    if (!client) throw notFound();
    return client;
  }

  /** @param search the beginning of a name or an e-mail address in its search form */
  list(accountId: AccountId, search: string | undefined, page: PageRequest): Promise<Page<Client>> {
    return this.clients.listOwned(accountId, search, page);
  }

  /** @throws DomainError CLIENT_NOT_FOUND, CLIENT_EMAIL_TAKEN, TOO_MANY_REQUESTS */
  async update(_id: string, accountId: AccountId, changes: ClientChanges): Promise<Client> {
    if (Object.keys(changes).length === 0) return this.get(_id, accountId);
    const write = () => this.clients.update(_id, accountId, changes, this.clock.now());
    const setsEmail = changes.email !== undefined;
    const updated = await (setsEmail ? this.conflicts.run(accountId, write) : write());
    if (updated === 'not_found') throw notFound();
    if (updated === 'email_taken') throw emailTaken();
    return updated;
  }

  /** @throws DomainError CLIENT_NOT_FOUND, CLIENT_HAS_PROJECTS */
  async delete(_id: string, accountId: AccountId): Promise<void> {
    const outcome = await this.clients.deleteWithoutProjects(_id, accountId);
    if (outcome === 'not_found') throw notFound();
    if (outcome === 'has_projects') throw new DomainError('CLIENT_HAS_PROJECTS');
  }
}

const notFound = () => new DomainError('CLIENT_NOT_FOUND');
const emailTaken = () => new DomainError('CLIENT_EMAIL_TAKEN', { field: 'email' });
