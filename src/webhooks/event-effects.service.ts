import { Global, Injectable, Module } from '@nestjs/common';
import { CLIENTS } from '../clients/client.js';
import { CustomerLetters } from '../customer-mail/customer-letters.service.js';
import { CustomerMail } from '../customer-mail/customer-mail.service.js';
import { CustomerMails } from '../customer-mail/customer-mails.service.js';
import { toEventDto } from '../events/dto/event.response.js';
import { type Event, EVENTS, newEvent, type Subject, SYSTEM } from '../events/event.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { LicenseReader } from '../licenses/license-reader.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { type License, LICENSES, withProductOf } from '../licenses/license.js';
import { Machines } from '../machines/machines.service.js';
import { CustomerContent } from '../mail/customer-content.js';
import { Notices } from '../mail/notices.service.js';
import { OutgoingMail } from '../mail/outgoing-mail.service.js';
import { PROJECTS } from '../projects/project.js';
import type { AccountId } from '../shared/ids.js';
import { NEWEST_FIRST } from '../shared/pagination/page.js';
import { type Change, changedIn, increment, type Insert, insert } from '../storage/changes.js';
import type { Collection, Stored } from '../storage/collection.js';
import { Effects } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import {
  DELIVERIES,
  type Message,
  MESSAGES,
  newDelivery,
  newMessage,
  withFanOuts,
} from './delivery.js';
import { isSubscribed, MAX_WEBHOOKS, type Webhook, WEBHOOKS } from './webhook.js';
import { withDailyId } from '../events/daily-event.js';
import { MemoryRateLimits } from '../limits/memory-rate-limits.js';
import { Config, type Limit } from '../shared/config/config.js';

/**
 * Kinds whose events share one quota. Other kinds have their own quotas, so license events never crowd out
 * logins, members or API keys.
 */
const SHARED = ['client', 'project', 'license', 'plan'];
/** Daily machine events allowed per machine of a license, if this exceeds the limit for a license with few seats. */
const PER_MACHINE = 4;

/**
 * Limits the events stored per day: per account by size, and per license by the number that machines cause,
 * because machines can choose new fingerprints endlessly. Events over the limit are only counted.
 */
@Injectable()
export class EventQuota {
  constructor(
    private readonly store: Store,
    private readonly limits: MemoryRateLimits,
    private readonly config: Config,
  ) {}

  /**
   * @param size the size of the event and its deliveries, in bytes
   * @returns the day's omission event, which counts this event because it exceeds a limit; undefined if
   *   within all limits
   */
  async findOmission(event: Event, size: number): Promise<Event | undefined> {
    const { accountId, subject, subjectName, actorType } = event;
    if (actorType === 'machine' && (await this.isOverLicenseQuota(subject))) {
      const license = { accountId, _id: subject, name: subjectName };
      return newOmission('license.events_omitted', license, event);
    }
    const kind = event.type.split('.')[0]!;
    const { events, accessEvents } = this.config.limits;
    const isOverQuota = SHARED.includes(kind)
      ? this.isBeyond(events, accountId, size)
      : this.isBeyond(accessEvents, `${accountId} ${kind}`, size);
    if (!isOverQuota) return undefined;
    return newOmission('account.events_omitted', { accountId, _id: accountId, name: kind }, event);
  }

  private async isOverLicenseQuota(_id: string): Promise<boolean> {
    const limit = this.config.limits.machineEvents;
    if (limit.requests === 0) return false;
    // Keeps counting past the limit, because a license with more seats allows more.
    const { hits } = this.limits.hitSync({ ...limit, requests: Infinity }, _id);
    if (hits <= limit.requests) return false;
    const license = await this.store.find(LICENSES, { _id });
    return hits > PER_MACHINE * (license?.maxMachines ?? 0);
  }

  private isBeyond(limit: Limit, key: string, cost: number): boolean {
    return limit.requests > 0 && this.limits.hitSync(limit, key, cost).hits > limit.requests;
  }
}

const newOmission = (
  type: 'license.events_omitted' | 'account.events_omitted',
  subject: Subject,
  { type: omittedType, count, storedAt }: Event,
): Event => {
  const details = { data: { type: omittedType }, by: SYSTEM, requestId: null };
  return { ...withDailyId(newEvent(type, subject, storedAt, details), omittedType), count };
};

/** Maximum body size in bytes; larger bodies omit the license. */
const MAX_BODY = 64 * 1024;

/**
 * Decides the effects of a new event: a message, a delivery to each webhook that receives it, and mail to
 * members and clients. Stored in the same commit as the event, so no effect is lost or made up.
 */
@Injectable()
export class EventEffects extends Effects {
  private readonly mailers: readonly Pick<Notices, 'mailsOf'>[];

  constructor(
    private readonly store: Store,
    private readonly licenses: LicensePresenter,
    private readonly machines: Machines,
    private readonly quota: EventQuota,
    outgoing: OutgoingMail,
    notices: Notices,
    customerMails: CustomerMails,
  ) {
    super();
    this.mailers = outgoing.isOn ? [notices, customerMails] : [];
  }

  /**
   * Only new events have effects. If a quota is exceeded, the day's omission event counts the event
   * instead. It has effects only when it is new.
   */
  async addEffects(changes: readonly Change[]): Promise<readonly Change[]> {
    const inserts = changes.filter(isInsertedEvent);
    if (inserts.length === 0) return changes;
    const events = inserts.map(({ record }) => record as Event);
    const accounts = [...new Set(events.map(({ accountId }) => accountId))];
    const webhooks = new Map(
      await Promise.all(
        accounts.map(async (one) => [one, await this.webhooksOf(one, changes)] as const),
      ),
    );
    const withDeliveries = async (event: Event) => [
      insert(EVENTS, event),
      ...(await this.deliveriesOf(event, webhooks.get(event.accountId)!, changes)),
    ];
    // People are notified of an event even if the quota omits it from the log.
    const mails = await Promise.all(
      this.mailers.flatMap((each) => events.map((event) => each.mailsOf(event, changes))),
    );
    const omissions = new Map<string, Event>();
    const stored = events.map(async (event) => {
      const inserted = await withDeliveries(event);
      const size = JSON.stringify(inserted.map(({ record }) => record)).length;
      const omission = await this.quota.findOmission(event, size);
      if (!omission) return inserted;
      const count = omission.count + (omissions.get(omission._id)?.count ?? 0);
      omissions.set(omission._id, { ...omission, count });
      return [];
    });
    const others = changes.filter((change) => !isInsertedEvent(change));
    const effects = (await Promise.all(stored)).flat();
    const counted = [...omissions.values()].map(async (omission) => {
      const { _id, count } = omission;
      const isStored = await this.store.find(EVENTS, { _id });
      return isStored ? [increment(EVENTS, _id, { count })] : withDeliveries(omission);
    });
    const all = [...others, ...effects, ...mails.flat(), ...(await Promise.all(counted)).flat()];
    return withFanOuts(all);
  }

  /** The webhooks of an account after the commit. */
  private async webhooksOf(accountId: AccountId, changes: readonly Change[]): Promise<Webhook[]> {
    const limit = MAX_WEBHOOKS;
    const all = await this.store.list(WEBHOOKS, { accountId }, NEWEST_FIRST, { limit });
    return all.flatMap((webhook) => {
      const changed = changedIn(changes, WEBHOOKS, webhook._id);
      return (changed ? changed.after : webhook) ?? [];
    });
  }

  private async deliveriesOf(
    event: Event,
    webhooks: readonly Webhook[],
    changes: readonly Change[],
  ): Promise<Insert[]> {
    const receivers = webhooks.filter((webhook) => isSubscribed(webhook, event));
    if (receivers.length === 0) return [];
    return [
      insert(MESSAGES, await this.messageOf(event, changes)),
      ...receivers.map((webhook) =>
        insert(DELIVERIES, newDelivery(webhook, event, event.storedAt)),
      ),
    ];
  }

  private async messageOf(event: Event, changes: readonly Change[]): Promise<Message> {
    const { type, at: timestamp, subject, actorType, actor } = event;
    const data = toEventDto(event);
    const license = type.startsWith('license.') ? await this.licenseOf(event, changes) : undefined;
    const isOfClient = type.startsWith('client.');
    const client = isOfClient
      ? subject
      : (license?.client ?? (actorType === 'client' ? actor : null));
    const body = JSON.stringify({ type, timestamp, data: { ...data, license } });
    if (Buffer.byteLength(body) <= MAX_BODY) return newMessage(event, body, client);
    return newMessage(event, JSON.stringify({ type, timestamp, data }), client);
  }

  /**
   * The license of an event after the commit, or before it if the commit removes the license; undefined if
   * the license is gone.
   */
  private async licenseOf({ subject, storedAt }: Event, changes: readonly Change[]) {
    const find = async <R extends Stored>(collection: Collection<R>, _id: string) => {
      const changed = changedIn(changes, collection, _id);
      if (changed) return changed.after ?? changed.before;
      return this.store.find(collection, { _id } as Partial<R>);
    };
    const found: License | null = await find(LICENSES, subject);
    if (!found) return undefined;
    const license = { ...found, seats: found.seats + seatsAdded(found, changes) };
    const [client, project] = await Promise.all([
      find(CLIENTS, license.client),
      find(PROJECTS, license.project),
    ]);
    const names = { clientName: client?.name ?? null, projectName: project?.name ?? null };
    const shown = project ? withProductOf(license, project) : license;
    const machines = await this.machines.inUse(license, storedAt, changes);
    return this.licenses.presentWithoutKey({ license: shown, names, machines, at: storedAt });
  }
}

const isInsertedEvent = (change: Change): change is Insert =>
  change.kind === 'insert' && change.collection === EVENTS;

/** What the changes add to the seats of a license. */
function seatsAdded({ _id }: License, changes: readonly Change[]): number {
  const change = changes.find((one) => one.kind === 'increment' && one._id === _id);
  return change?.kind === 'increment' ? (change.by.seats ?? 0) : 0;
}

/** Provides event effects to every process that changes something, including operator commands. */
@Global()
@Module({
  providers: [
    { provide: Effects, useClass: EventEffects },
    EventQuota,
    LicensePresenter,
    LicenseKeyService,
    LicenseReader,
    Machines,
    Notices,
    OutgoingMail,
    CustomerMail,
    CustomerMails,
    CustomerLetters,
    { provide: CustomerContent, useExisting: CustomerLetters },
  ],
  exports: [Effects, OutgoingMail, CustomerMail, CustomerLetters, CustomerContent],
})
export class EventEffectsModule {}
