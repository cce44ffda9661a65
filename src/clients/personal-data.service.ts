import { Injectable } from '@nestjs/common';
import { BINNED, binnedClient, recordIn } from '../bin/binned.js';
import { type Event, EVENTS, recordOf } from '../events/event.js';
import { type Mail, MAILS } from '../mail/mail.js';
import { DomainError } from '../shared/errors/domain-error.js';
import {
  IDEMPOTENCY_RECORDS,
  type IdempotencyRecord,
} from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { NEWEST_FIRST } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import { isUnchanged, removeAll, replace } from '../storage/changes.js';
import type { Collection, FieldOf, Stored } from '../storage/collection.js';
import { Decisions } from '../storage/decisions.js';
import type { Filter } from '../storage/filter.js';
import { findOwned, type ListPosition, pagesOf, Store } from '../storage/store.js';
import { endAccess } from '../portal/portal-session.js';
import { DELIVERIES, MESSAGES, withoutResponses } from '../webhooks/delivery.js';
import { type Client, CLIENTS } from './client.js';
import { erasedClient, erasedEvent, erasedMessage, erasedResult, withoutActor } from './erasure.js';

/** Records read and changed per commit; messages have up to 64 KiB each. */
const STEP_SIZE = 50;
/** Maximum number of events, and of mails, in the personal data of a client. */
const MAX_LISTED = 1_000;

/**
 * The data stored about a client. It can be read after the client was deleted if the bin or events still
 * mention it.
 */
export interface PersonalData {
  readonly client: Client | null;
  /** Newest first. */
  readonly events: readonly Event[];
  /** The client's mail of the last 30 days, newest first. */
  readonly mails: readonly Mail[];
}

@Injectable()
export class ClientPersonalData {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  async read(_id: string, accountId: AccountId): Promise<PersonalData> {
    const order = { by: 'at', direction: 'desc' } as const;
    const limit = MAX_LISTED;
    const [{ client }, events, mails] = await Promise.all([
      this.find(_id, accountId),
      this.store.list(EVENTS, { accountId, subject: _id }, order, { limit }),
      this.store.list(MAILS, { accountId, about: _id }, NEWEST_FIRST, { limit }),
    ]);
    const ofClient = events.filter(({ type }) => type.startsWith('client.'));
    if (!client && ofClient.length === 0) throw new DomainError('CLIENT_NOT_FOUND');
    return { client, events: ofClient, mails };
  }

  /**
   * Erases the client's name and address wherever they are stored. Calling it again resumes an interrupted erasure.
   */
  async erase(_id: string, accountId: AccountId, idempotency?: IdempotencyRecord): Promise<void> {
    await this.read(_id, accountId);
    // First, so no new event has the name.
    await this.eraseClient(_id, accountId, idempotency);
    await this.removeMails(_id, accountId);
    await this.eraseAll(MESSAGES, { accountId, body: { contains: _id } }, '_id', (message) =>
      erasedMessage(message, _id),
    );
    await this.eraseResponses(_id, accountId);
    await this.eraseAll(IDEMPOTENCY_RECORDS, { owner: accountId }, 'expiresAt', (stored) =>
      erasedResult(stored, _id),
    );
    await this.eraseAll(EVENTS, { accountId, subject: _id }, 'at', (event) =>
      event.type.startsWith('client.') ? erasedEvent(event) : event,
    );
    await this.eraseAll(EVENTS, { accountId, actor: _id }, 'at', withoutActor);
  }

  private eraseClient(
    _id: string,
    accountId: AccountId,
    idempotency?: IdempotencyRecord,
  ): Promise<void> {
    const decide = async () => {
      const { client: before, entry } = await this.find(_id, accountId);
      const now = this.clock.now();
      const erased = before && erasedClient(before, now);
      if (!erased || isUnchanged(before, erased)) return { result: undefined, changes: [] };
      const { name, searchName, record } = binnedClient(erased, now);
      const change = entry
        ? replace(BINNED, entry, { ...entry, name, searchName, record })
        : replace(CLIENTS, before, erased);
      const event = recordOf('client')('erased', erased, now);
      return { result: undefined, changes: [change, ...endAccess(erased), event] };
    };
    return this.decisions.run<void>(decide, { key: _id, idempotency });
  }

  /** A client, with its bin entry if it was deleted. */
  private async find(_id: string, accountId: AccountId) {
    const client = await findOwned(this.store, CLIENTS, _id, accountId);
    if (client) return { client, entry: null };
    const found = await findOwned(this.store, BINNED, _id, accountId);
    const entry = found?.kind === 'client' ? found : null;
    return { client: entry && recordIn<Client>(entry), entry };
  }

  /** Removes the mail to a client, even if it has not been sent yet. */
  private async removeMails(about: string, accountId: AccountId): Promise<void> {
    const filter = { accountId, about };
    while ((await this.store.count(MAILS, filter, 1)) > 0) {
      await this.decisions.commit([removeAll(MAILS, filter, STEP_SIZE)]);
    }
  }

  /** A receiver may have echoed what it was sent about the client. */
  private async eraseResponses(_id: string, accountId: AccountId): Promise<void> {
    const about = { accountId, body: { contains: _id } };
    for await (const page of pagesOf(this.store, MESSAGES, about, '_id', STEP_SIZE)) {
      for (const { _id: event } of page) {
        await this.eraseAll(DELIVERIES, { accountId, event }, 'webhook', withoutResponses);
      }
    }
  }

  /** Erases the names in all records that a filter selects, page by page. */
  private async eraseAll<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    by: FieldOf<R>,
    erase: (record: R) => R,
  ): Promise<void> {
    const order = { by, direction: 'asc' } as const;
    for (let after: ListPosition | undefined, isMoreLeft = true; isMoreLeft;) {
      const slice = { limit: STEP_SIZE, after };
      const page = await this.decisions.run(async () => {
        const records = await this.store.list(collection, filter, order, slice);
        const changes = records.flatMap((record) => {
          const erased = erase(record);
          const isErased = JSON.stringify(erased) === JSON.stringify(record);
          return isErased ? [] : [replace(collection, record, erased)];
        });
        return { result: records, changes };
      });
      const last = page.at(-1);
      after = last && { value: last[by] as ListPosition['value'], _id: last._id };
      isMoreLeft = page.length === STEP_SIZE;
    }
  }
}
