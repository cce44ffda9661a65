import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type User, USERS } from '../auth/accounts/user.js';
import { SESSIONS } from '../auth/sessions/session.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { ERRORS } from '../shared/errors/error-codes.js';
import { type AccountTotals, TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, removeAll, replace } from '../storage/changes.js';
import type { AnyCollection } from '../storage/collection.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { notFound } from './command-error.js';
import type { Services } from './with-store.js';

export interface AccountOptions {
  /** The new account's name and email address. Defaults to the local part of the email address. */
  readonly name?: string;
  /** The email address of the new owner, or the new address of a login. */
  readonly to?: string;
  /** The id of the API key or webhook. */
  readonly id?: string;
  /** Also deletes licenses that are ACTIVE and have not expired. */
  readonly withLicenses?: boolean;
}

/** The options of a command, with the account's email address and name normalized. */
export type NormalizedOptions = Required<AccountOptions> & { readonly email: string };

/** Milliseconds between two steps of a removal. On SQLite, a service that is writing retries every 10 ms. */
const PAUSE = 20;
/**
 * Milliseconds between two attempts while the store is busy, and the maximum number of attempts, which
 * takes a few minutes.
 */
const BUSY_PAUSE = 1_000;
const MAX_ATTEMPTS = 100;

export async function removeRecords(services: Services, collection: AnyCollection, filter: object) {
  const [store, decisions] = [services.get(Store), services.get(Decisions)];
  const step = async () => {
    if ((await store.count(collection, filter, 1)) === 0) return false;
    await decisions.commit([removeAll(collection, filter)]);
    return true;
  };
  while (await retryWhileBusy(step)) await setTimeout(PAUSE);
}

/** Retries a step while the store is too busy. */
export async function retryWhileBusy<T>(step: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      const isBusy = error instanceof DomainError && ERRORS[error.code].status === 503;
      if (!isBusy || attempt === MAX_ATTEMPTS) throw error;
      if (attempt === 1) console.error('The store is busy. Retrying ...');
      await setTimeout(BUSY_PAUSE);
    }
  }
}

/** A login with its account, which is null while it is being deleted. */
export interface Login {
  readonly user: User;
  readonly account: AccountTotals | null;
}

/** The line for the operator, and the changes of a command. */
export type Outcome = [text: string, ...changes: Change[]];

export async function decide(
  services: Services,
  email: string,
  outcomeOf: (login: Login, now: Date) => Outcome | Promise<Outcome>,
): Promise<string> {
  const store = services.get(Store);
  const { text } = await services.get(Decisions).run(async () => {
    const user = await store.find(USERS, { email });
    if (!user) throw notFound(email);
    const account = await store.find(TOTALS, { _id: user.account });
    const [line, ...changes] = await outcomeOf({ user, account }, services.get(Clock).now());
    return { result: { text: line }, changes };
  });
  return text;
}

/** Commits a decision and ends every session of the member, or of the whole account for an owner. */
export async function endingSessions(
  services: Services,
  email: string,
  outcomeOf: (login: Login, now: Date) => Outcome | Promise<Outcome>,
): Promise<string> {
  let sessions = {};
  const text = await decide(services, email, async (login, now) => {
    const { _id: user, account: accountId, role } = login.user;
    sessions = role === 'owner' ? { accountId } : { user };
    return [...(await outcomeOf(login, now)), removeAll(SESSIONS, sessions)];
  });
  // An account's members can have more sessions than one commit can remove.
  await removeRecords(services, SESSIONS, sessions);
  return text;
}

export const update = (user: User, fields: Partial<User>, updatedAt: Date): Change =>
  replace(USERS, user, { ...user, ...fields, updatedAt });

export const withPassword = (what: string, email: string, password: string): string =>
  [
    what,
    `Email:    ${email}`,
    `Password: ${password}`,
    'Save the password now. It will not be shown again.',
  ].join('\n');

/** A random password: 24 characters, 144 bits. */
export const generatePassword = (): string => randomBytes(18).toString('base64url');
