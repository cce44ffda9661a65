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
import { isTimeForStep, requireTimeForStep } from '../shared/request-context.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert, isUnchanged, remove, replace } from '../storage/changes.js';
import type { Collection, FieldOf, Stored } from '../storage/collection.js';
import { Decisions } from '../storage/decisions.js';
import type { Filter } from '../storage/filter.js';
import { findOwned, type ListPosition, Store } from '../storage/store.js';
import { endAccess } from '../portal/portal-session.js';
import { DELIVERIES, MESSAGES, withoutResponses } from '../webhooks/delivery.js';
import { MAX_WEBHOOKS } from '../webhooks/webhook.js';
import { type Client, CLIENTS } from './client.js';
import {
  erasedClient,
  erasedEvent,
  erasedMessage,
  erasedResult,
  ERASURES,
  newErasure,
  withoutActor,
} from './erasure.js';

/** Records read and changed per commit; a message has up to 64 KiB and 20 deliveries. */
const STEP_SIZE = 20;
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
   * Erases the client's name and address wherever they are stored, in steps. If the request runs out of time, repeating it
   * continues.
   */
  async erase(_id: string, accountId: AccountId, idempotency?: IdempotencyRecord): Promise<void> {
    await this.read(_id, accountId);
    // First, so no new record has the name.
    await this.eraseClient(_id, accountId, idempotency);
    const stages = this.stagesOf(_id, accountId);
    const interrupted = await this.store.find(ERASURES, { _id });
    let { stage, after } = interrupted ?? { stage: 0, after: null };
    for (; stage < stages.length; stage += Number(!after)) {
      if (!isTimeForStep()) await this.interrupt({ _id, accountId, stage, after });
      requireTimeForStep();
      after = await stages[stage]!(after);
    }
    if (interrupted) await this.decisions.commit([remove(ERASURES, interrupted)]);
  }

  private async interrupt(progress: Parameters<typeof newErasure>[0]): Promise<void> {
    await this.decisions.run<void>(async () => {
      const before = await this.store.find(ERASURES, { _id: progress._id });
      const after = newErasure(progress, this.clock.now());
      const change = before ? replace(ERASURES, before, after) : insert(ERASURES, after);
      return { result: undefined, changes: [change] };
    });
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
      // It may have erased an earlier name.
      const interrupted = await this.store.find(ERASURES, { _id });
      const restart = interrupted ? [remove(ERASURES, interrupted)] : [];
      const { name, searchName, record } = binnedClient(erased, now);
      const change = entry
        ? replace(BINNED, entry, { ...entry, name, searchName, record })
        : replace(CLIENTS, before, erased);
      const event = recordOf('client')('erased', erased, now);
      return { result: undefined, changes: [...restart, change, ...endAccess(erased), event] };
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

  /** The steps that erase each kind of record; a receiver may have echoed what it was sent about the client. */
  private stagesOf(_id: string, accountId: AccountId): readonly Stage[] {
    return [
      this.stage(MAILS, { accountId, about: _id }, 'createdAt', (mail) => [remove(MAILS, mail)]),
      this.stage(MESSAGES, { accountId, client: _id }, '_id', async (message) => {
        const order = { by: 'webhook', direction: 'asc' } as const;
        const ofMessage = { accountId, event: message._id };
        const slice = { limit: MAX_WEBHOOKS };
        const deliveries = await this.store.list(DELIVERIES, ofMessage, order, slice);
        return [
          ...changeTo(MESSAGES, message, erasedMessage(message, _id)),
          ...deliveries.flatMap((one) => changeTo(DELIVERIES, one, withoutResponses(one))),
        ];
      }),
      this.stage(IDEMPOTENCY_RECORDS, { owner: accountId }, 'expiresAt', (stored) =>
        changeTo(IDEMPOTENCY_RECORDS, stored, erasedResult(stored, _id)),
      ),
      this.stage(EVENTS, { accountId, subject: _id }, 'at', (event) =>
        changeTo(EVENTS, event, erasedEvent(event)),
      ),
      this.stage(EVENTS, { accountId, actor: _id }, 'at', (event) =>
        changeTo(EVENTS, event, withoutActor(event)),
      ),
    ];
  }

  private stage<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    by: FieldOf<R>,
    changesTo: (record: R) => readonly Change[] | Promise<readonly Change[]>,
  ): Stage {
    const order = { by, direction: 'asc' } as const;
    return async (after) => {
      const slice = { limit: STEP_SIZE, after: after ?? undefined };
      const page = await this.decisions.run(async () => {
        const records = await this.store.list(collection, filter, order, slice);
        const changes = await Promise.all(records.map(async (record) => changesTo(record)));
        return { result: records, changes: changes.flat() };
      });
      const last = page[STEP_SIZE - 1];
      return last ? { value: last[by] as ListPosition['value'], _id: last._id } : null;
    };
  }
}

/** Erases some records after a position. @returns the position of the last one; null if no more are left */
type Stage = (after: ListPosition | null) => Promise<ListPosition | null>;

const changeTo = <R extends Stored>(collection: Collection<R>, before: R, after: R): Change[] =>
  before === after || JSON.stringify(before) === JSON.stringify(after)
    ? []
    : [replace(collection, before, after)];
