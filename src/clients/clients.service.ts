import { Injectable } from '@nestjs/common';
import { requireScope } from '../auth/principal.js';
import { binnedClient } from '../bin/binned.js';
import { Bin } from '../bin/bin.service.js';
import { CustomerMail } from '../customer-mail/customer-mail.service.js';
import { changesOf, recordOf } from '../events/event.js';
import { countLicensesOf } from '../licenses/license-counts.js';
import { PORTALS } from '../portal/portal.js';
import { endAccess, signOut } from '../portal/portal-session.js';
import { ProjectsService } from '../projects/projects.service.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import {
  emptyPage,
  NEWEST_FIRST,
  type Page,
  type PageRequest,
  readPage,
} from '../shared/pagination/page.js';
import { AccountQuotas } from '../shared/quotas/account-totals.js';
import { requestContext } from '../shared/request-context.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert, isUnchanged, remove, replace } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { omitUndefined } from '../storage/filter.js';
import { type CountsByValue, getOwned, type Order, Store } from '../storage/store.js';
import {
  changedClient,
  type Client,
  type ClientFields,
  CLIENTS,
  clientsOf,
  newClient,
  clientEmailTaken,
} from './client.js';
import type { ClientListQuery } from './dto/client.dto.js';
import { EmailConflictLimiter } from '../limits/conflict-limiters.js';

const COUNTED = { clientsCount: 1 };

const eventOf = recordOf('client');

@Injectable()
export class ClientsService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly quotas: AccountQuotas,
    private readonly bin: Bin,
    private readonly projects: ProjectsService,
    private readonly conflicts: EmailConflictLimiter,
    private readonly customerMail: CustomerMail,
    private readonly clock: Clock,
  ) {}

  create(
    accountId: AccountId,
    fields: ClientFields,
    idempotency?: IdempotencyRecord,
  ): Promise<Client> {
    const client = newClient(accountId, fields, this.clock.now());
    const decide = async (failed?: Change) => {
      // A taken address is reported as such even beyond the quota.
      await this.requireEmail(client, failed);
      await this.quotas.requireCounted(failed, accountId, COUNTED);
      const changes = [
        insert(CLIENTS, client),
        this.quotas.add(accountId, COUNTED),
        eventOf('created', client, client.createdAt, { name: client.name, email: client.email }),
      ];
      return { result: client, changes };
    };
    return this.decisions.run(decide, { idempotency });
  }

  get(_id: string, accountId: AccountId): Promise<Client> {
    return getOwned(this.store, CLIENTS, _id, accountId, 'CLIENT_NOT_FOUND');
  }

  async list(
    accountId: AccountId,
    { search, email }: Pick<ClientListQuery, 'search' | 'email'>,
    page: PageRequest,
    order: Order<Client> = NEWEST_FIRST,
  ): Promise<Page<Client>> {
    const client = email === undefined ? undefined : await this.store.find(CLIENTS, { email });
    if (client === null) return emptyPage(page);
    const filter = { ...clientsOf(accountId, search), ...omitUndefined({ _id: client?._id }) };
    return readPage(this.store, CLIENTS, filter, order, page);
  }

  /** The number of licenses of each of these clients, by client id; absent if there are none. */
  countLicenses(clients: readonly Client[], user: AccountId): Promise<CountsByValue> {
    return countLicensesOf(this.store, user, 'client', clients);
  }

  async update(
    _id: string,
    accountId: AccountId,
    fields: { readonly [K in keyof ClientFields]?: ClientFields[K] | undefined },
  ): Promise<Client> {
    const changes = omitUndefined(fields);
    const decide = async (failed?: Change) => {
      const client = await this.get(_id, accountId);
      const now = this.clock.now();
      const changed = changedClient(client, changes, now);
      if (isUnchanged(client, changed)) return { result: client, changes: [] };
      const isMoved = changed.email !== client.email;
      if (isMoved && (await this.isAddressUsed(accountId))) {
        // Anyone who changes the address receives the next emailed key, and can sign in to the portal.
        requireScope(requestContext.getStore()?.principal, 'licenses:write');
      }
      if (changes.email !== undefined) await this.requireEmail(changed, failed);
      const event = eventOf('updated', changed, now, changesOf(client, changed, ['name', 'email']));
      const ended = isMoved ? signOut(client) : [];
      return { result: changed, changes: [replace(CLIENTS, client, changed), ...ended, event] };
    };
    return this.decisions.run(decide, { key: _id });
  }

  /**
   * @param withProjects whether its projects are deleted first; OVERLOADED if there are more than one
   *   request has time for
   */
  async delete(_id: string, accountId: AccountId, withProjects = false): Promise<void> {
    await this.get(_id, accountId);
    if (withProjects) await this.projects.deleteAllOf(_id, accountId);
    const decide = async (failed?: Change) => {
      await this.quotas.requireCounted(failed, accountId);
      const client = await this.get(_id, accountId);
      if (client.projectsCount > 0) throw new DomainError('CLIENT_HAS_PROJECTS');
      const now = this.clock.now();
      const changes = [
        remove(CLIENTS, client),
        ...endAccess(client),
        ...(await this.bin.add(accountId, [binnedClient(client, now)], COUNTED)),
        eventOf('deleted', client, now),
      ];
      return { result: undefined, changes };
    };
    await this.decisions.run<void>(decide, { key: _id });
  }

  private async isAddressUsed(accountId: AccountId): Promise<boolean> {
    const portal = await this.store.find(PORTALS, { _id: accountId });
    return portal?.enabled === true || this.customerMail.isAllowed(accountId);
  }

  /** Only a failed commit reveals that an email address may be taken, so each conflict is counted. */
  private async requireEmail({ _id, email, owner }: Client, failed?: Change): Promise<void> {
    const holder = failed && (await this.store.find(CLIENTS, { email }));
    await this.conflicts.require(owner, !holder || holder._id === _id, clientEmailTaken());
  }
}
