import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CLIENTS } from '../clients/client.js';
import { toEventDto } from '../events/dto/event.response.js';
import { type Event, EVENTS } from '../events/event.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { type License, LICENSES } from '../licenses/license.js';
import { Machines } from '../machines/machines.service.js';
import { withProductOf } from '../licenses/product.js';
import { PROJECTS } from '../projects/project.js';
import { maxEntries } from '../shared/bounded-cache.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { type Change, insert } from '../storage/changes.js';
import type { Collection, Stored } from '../storage/collection.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { MAX_BODY, MESSAGES, newMessage } from './message.js';

/** Milliseconds for which an instance remembers that an account has no webhook, where a look-up has to wait. */
export const REMEMBERED = 1_000;
/** Maximum of accounts that are remembered. */
const MAX_REMEMBERED = 10_000;

/** Stores each new event as a message in the commit of the event, where its account has webhooks: so none is lost, and none is invented. */
@Injectable()
export class Messages implements OnModuleInit {
  private readonly withoutWebhooks = new LRUCache<AccountId, true>({
    ...maxEntries(MAX_REMEMBERED),
    ttl: REMEMBERED,
    ttlResolution: 0,
  });

  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly licenses: LicensePresenter,
    private readonly machines: Machines,
  ) {}

  onModuleInit(): void {
    this.decisions.completeWith((changes) => this.complete(changes));
  }

  /** The changes of a decision with a message of each event that they insert. An event that is counted again has one already. */
  private async complete(changes: readonly Change[]): Promise<readonly Change[]> {
    const events = changes.flatMap((change) =>
      change.kind === 'insert' && change.collection === EVENTS ? [change.record as Event] : [],
    );
    if (events.length === 0) return changes;
    const messages = await Promise.all(
      events.map(async (event) =>
        (await this.hasWebhooks(event.accountId))
          ? [insert(MESSAGES, newMessage(event, await this.bodyOf(event, changes)))]
          : [],
      ),
    );
    return [...changes, ...messages.flat()];
  }

  private async hasWebhooks(_id: AccountId): Promise<boolean> {
    if (this.withoutWebhooks.has(_id)) return false;
    const start = performance.now();
    const totals = await this.store.find(TOTALS, { _id });
    const has = totals !== null && totals.webhooksCount > 0;
    // Counted from before the look-up: a webhook that is created after it is seen in time.
    if (!has && !this.store.findsWithoutWaiting) this.withoutWebhooks.set(_id, true, { start });
    return has;
  }

  private async bodyOf(event: Event, changes: readonly Change[]): Promise<string> {
    const { type, at } = event;
    const data = toEventDto(event);
    const license = type.startsWith('license.') ? await this.licenseOf(event, changes) : null;
    const body = JSON.stringify({
      type,
      timestamp: at,
      data: { ...data, ...(license && { license }) },
    });
    return Buffer.byteLength(body) <= MAX_BODY
      ? body
      : JSON.stringify({ type, timestamp: at, data });
  }

  /** The license of an event as it is in the commit; null where it is gone. */
  private async licenseOf({ subject, storedAt }: Event, changes: readonly Change[]) {
    const find = async <R extends Stored>(collection: Collection<R>, _id: string) =>
      inChanges(collection, _id, changes) ??
      incremented(await this.store.find(collection, { _id } as Partial<R>), collection, changes);
    const license: License | null = await find(LICENSES, subject);
    if (!license) return null;
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

/** A record as changes leave it; one that they remove as it was. */
function inChanges<R extends Stored>(
  collection: Collection<R>,
  _id: string,
  changes: readonly Change[],
): R | undefined {
  for (const change of changes) {
    if (change.collection !== collection) continue;
    if (change.kind === 'insert' && change.record._id === _id) return change.record as R;
    if (change.kind === 'replace' && change.after._id === _id) return change.after as R;
    if (change.kind === 'remove' && change.before._id === _id) return change.before as R;
  }
  return undefined;
}

/** A stored record with what changes add to its counters. */
function incremented<R extends Stored>(
  record: R | null,
  collection: Collection<R>,
  changes: readonly Change[],
): R | null {
  if (!record) return null;
  const sums = changes.flatMap((change) =>
    change.kind === 'increment' && change.collection === collection && change._id === record._id
      ? Object.entries(change.by).map(([name, by]) => [
          name,
          (Reflect.get(record, name) as number) + by,
        ])
      : [],
  );
  return { ...record, ...(Object.fromEntries(sums) as Partial<R>) };
}
