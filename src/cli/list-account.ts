import { AccountsService } from '../auth/accounts/accounts.service.js';
import { API_KEYS, MAX_API_KEYS } from '../auth/api-keys/api-key.js';
import { INVITATIONS, MAX_MEMBERS } from '../auth/members/member.js';
import { EVENTS } from '../events/event.js';
import type { AccountId } from '../shared/ids.js';
import { NEWEST_FIRST } from '../shared/pagination/page.js';
import { addDays } from '../shared/time/calendar.js';
import { Clock } from '../shared/time/clock.js';
import { pagesOf, Store } from '../storage/store.js';
import { MAX_WEBHOOKS, WEBHOOKS } from '../webhooks/webhook.js';
import { readAccountFields } from './account-fields.js';
import { CommandError, notFound } from './command-error.js';
import type { Services } from './with-store.js';

/** Events read at a time. */
const PAGE_SIZE = 100;
/** How far back events are listed by default. */
const DEFAULT_DAYS = 7;

export type AccountPart = 'api-keys' | 'webhooks' | 'invitations' | 'events';

/** Prints one part of the account of a login: one record per line, with tabs between the fields. */
export async function listOfAccount(
  services: Services,
  part: AccountPart,
  given: string,
  since?: string,
): Promise<void> {
  const { email } = readAccountFields(given);
  const user = await services.get(AccountsService).findByEmail(email);
  if (!user) throw notFound(email);
  const [store, accountId] = [services.get(Store), user.account];
  switch (part) {
    case 'api-keys': {
      const slice = { limit: MAX_API_KEYS };
      for (const key of await store.list(API_KEYS, { accountId }, NEWEST_FIRST, slice)) {
        const used = `last used ${key.lastUsedAt?.toISOString() ?? 'never'}`;
        print(key._id, key.name, `…${key.keyHint}`, key.createdAt, used, key.scopes.join(' '));
      }
      return;
    }
    case 'webhooks': {
      const slice = { limit: MAX_WEBHOOKS };
      for (const one of await store.list(WEBHOOKS, { accountId }, NEWEST_FIRST, slice)) {
        print(one._id, one.url, one.createdAt, one.status, one.types.join(' '));
      }
      return;
    }
    case 'invitations': {
      const [filter, slice] = [{ account: accountId }, { limit: MAX_MEMBERS }];
      for (const one of await store.list(INVITATIONS, filter, NEWEST_FIRST, slice)) {
        const expires = `expires ${one.expiresAt.toISOString()}`;
        print(one._id, one.email, one.role, one.createdAt, expires);
      }
      return;
    }
    case 'events':
      await listEvents(services, since, accountId);
  }
}

/** Prints the events of an account or, by default, of all accounts, each with the id of its account. */
export async function listEvents(
  services: Services,
  since?: string,
  account?: AccountId,
): Promise<void> {
  const at = { from: readSince(since, services.get(Clock).now()) };
  const filter = account === undefined ? { at } : { accountId: account, at };
  for await (const page of pagesOf(services.get(Store), EVENTS, filter, 'at', PAGE_SIZE)) {
    for (const event of page) {
      const { accountId, type, actorType, actorName, subjectName, data } = event;
      const of = account === undefined ? [accountId] : [];
      const actor = `${actorType} ${actorName ?? ''}`;
      print(event.at, ...of, type, actor, subjectName, JSON.stringify(data));
    }
  }
}

const print = (...fields: (string | Date | null)[]) =>
  console.log(fields.map((one) => (one instanceof Date ? one.toISOString() : one)).join('\t'));

/** @throws CommandError if it is not a time */
export function readSince(text: string | undefined, now: Date): Date {
  const since = text === undefined ? addDays(now, -DEFAULT_DAYS) : new Date(text);
  if (!Number.isNaN(since.getTime())) return since;
  throw new CommandError(`${text} is not a time such as 2026-01-31 or 2026-01-31T10:15:00Z.`);
}
