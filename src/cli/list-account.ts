import { AccountsService } from '../auth/accounts/accounts.service.js';
import { API_KEYS, MAX_API_KEYS } from '../auth/api-keys/api-key.js';
import { EVENTS } from '../events/event.js';
import { NEWEST_FIRST } from '../shared/pagination/page.js';
import { addDays } from '../shared/time/calendar.js';
import { Clock } from '../shared/time/clock.js';
import { pagesOf, Store } from '../storage/store.js';
import { MAX_WEBHOOKS, WEBHOOKS } from '../webhooks/webhook.js';
import { readAccountFields } from './account-fields.js';
import { CommandError, notFound } from './command-error.js';
import { type Services, withStore } from './with-store.js';

/** Events read at a time. */
const PAGE_SIZE = 100;
/** How far back events are listed by default. */
const DEFAULT_DAYS = 7;

export type AccountPart = 'api-keys' | 'webhooks' | 'events';

/** Prints a part of the account of a login, one record per line with tabs between the fields. */
export const listOfAccount = (
  part: AccountPart,
  email: string,
  since?: string,
  env = process.env,
): Promise<void> => withStore(env, (services) => printOfAccount(services, part, email, since));

export async function printOfAccount(
  services: Services,
  part: AccountPart,
  given: string,
  since?: string,
): Promise<void> {
  const { email } = readAccountFields(given);
  const user = await services.get(AccountsService).findByEmail(email);
  if (!user) throw notFound(email);
  const [store, accountId] = [services.get(Store), user.account];
  const print = (...fields: (string | Date | null)[]) =>
    console.log(fields.map((one) => (one instanceof Date ? one.toISOString() : one)).join('\t'));
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
    case 'events': {
      const from = readSince(since, services.get(Clock).now());
      const pages = pagesOf(store, EVENTS, { accountId, at: { from } }, 'at', PAGE_SIZE);
      for await (const page of pages) {
        for (const { at, type, actorType, actorName, subjectName, data } of page) {
          print(at, type, `${actorType} ${actorName ?? ''}`, subjectName, JSON.stringify(data));
        }
      }
    }
  }
}

function readSince(text: string | undefined, now: Date): Date {
  const since = text === undefined ? addDays(now, -DEFAULT_DAYS) : new Date(text);
  if (!Number.isNaN(since.getTime())) return since;
  throw new CommandError(`${text} is not a time such as 2026-01-31 or 2026-01-31T10:15:00Z.`);
}
