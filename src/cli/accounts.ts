import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AccountsService } from '../auth/accounts/accounts.service.js';
import { newAccountEvent, removalOf, type User, USERS } from '../auth/accounts/user.js';
import { subjectOf } from '../auth/members/member.js';
import { PasswordHasher } from '../auth/passwords/password-hasher.js';
import { SESSIONS } from '../auth/sessions/session.js';
import { COLLECTIONS } from '../collections.js';
import { EVENTS, record, SYSTEM } from '../events/event.js';
import { LICENSES } from '../licenses/license.js';
import { hasStatus } from '../licenses/license-query.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { ERRORS } from '../shared/errors/error-codes.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { type AccountTotals, TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert, removeAll, replace, setAll } from '../storage/changes.js';
import type { AnyCollection } from '../storage/collection.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { readAccountFields } from './account-fields.js';
import { CommandError, notFound } from './command-error.js';
import { type Services, withStore } from './with-store.js';

export interface AccountOptions {
  /** Of a new account. Defaults to the local part of the e-mail address. */
  readonly name?: string;
  /** The e-mail address of the new owner. */
  readonly to?: string;
  /** Also deletes licenses that are ACTIVE and have not expired. */
  readonly withLicenses?: boolean;
}

/** The options of a command, with the account's e-mail address and name normalized. */
type NormalizedOptions = Required<AccountOptions> & { readonly email: string };

/** Milliseconds between two steps of a removal: on SQLite, a service that is writing retries every 10 ms. */
const PAUSE = 20;
/** Milliseconds between two attempts while the store is busy, and the maximum number of attempts: a few minutes. */
const BUSY_PAUSE = 1_000;
const MAX_ATTEMPTS = 100;

/**
 * Runs a command on an account, and logs it as one line on stderr.
 *
 * @returns the lines for the operator
 * @throws CommandError, DomainError, StartupError
 */
export const changeAccount = (
  action: AccountAction,
  email: string,
  options?: AccountOptions,
  env = process.env,
): Promise<string> =>
  withStore(env, (services) => runAccountCommand(services, action, email, options));

/** Like {@link changeAccount}, on an open store. */
export async function runAccountCommand(
  services: Services,
  action: AccountAction,
  givenEmail: string,
  { name: givenName, to = '', withLicenses = false }: AccountOptions = {},
): Promise<string> {
  const accounts = services.get(AccountsService);
  const { email, name } = readAccountFields(givenEmail, givenName);
  const before = await accounts.findByEmail(email);
  const text = await COMMANDS[action](services, { email, name, to, withLicenses });
  const { account, _id: user } = (before ?? (await accounts.findByEmail(email)))!;
  services.get(SecurityLog).record('account_command', { action, account, user });
  return text;
}

const COMMANDS = {
  create,
  'reset-password': resetPassword,
  disable,
  enable,
  transfer,
  delete: deleteLogin,
} as const;

export type AccountAction = keyof typeof COMMANDS;

async function create(services: Services, { email, name }: NormalizedOptions): Promise<string> {
  const password = generatePassword();
  await services.get(AccountsService).create({ email, name, password });
  return withPassword('Account created.', email, password);
}

async function resetPassword(services: Services, { email }: NormalizedOptions): Promise<string> {
  const password = generatePassword();
  const passwordHash = await services.get(PasswordHasher).hash(password);
  return endingSessions(services, email, ({ user }, now) => [
    withPassword('Password reset. All sessions have ended.', email, password),
    update(user, { passwordHash }, now),
    insert(EVENTS, newAccountEvent('account.password_changed', user, now, { by: SYSTEM })),
  ]);
}

function disable(services: Services, { email }: NormalizedOptions): Promise<string> {
  return endingSessions(services, email, (login, now) =>
    isDisabled(login)
      ? [`Account ${email} is already disabled.`]
      : [
          `Account ${email} is disabled, and all its sessions have ended. ` +
            'Disabling an owner disables the whole account, including members and API keys. Its licenses keep validating.',
          disabling(login, now, now),
          insert(EVENTS, newAccountEvent('account.disabled', login.user, now, { by: SYSTEM })),
        ],
  );
}

function enable(services: Services, { email }: NormalizedOptions): Promise<string> {
  return decide(services, email, (login, now) =>
    isDisabled(login)
      ? [
          `Account ${email} is enabled. Enabling an owner enables the whole account, including members and API keys.`,
          disabling(login, null, now),
        ]
      : [`Account ${email} is already enabled.`],
  );
}

/** Makes another member the owner of the account, and the former owner an admin. */
function transfer(
  services: Services,
  { email: from, to: given }: NormalizedOptions,
): Promise<string> {
  const { email: to } = readAccountFields(given);
  return decide(services, from, async ({ user }, now) => {
    if (user.role !== 'owner') throw new CommandError(`${from} is not the owner of an account.`);
    const member = await services.get(AccountsService).findByEmail(to);
    const isMember = member?.account === user.account && member._id !== user._id;
    if (!isMember || member.disabledAt) {
      throw new CommandError(
        `${to} is not an enabled member of the account of ${from}. Invite the new owner first.`,
      );
    }
    const change = (one: User, role: User['role']) => [
      update(one, { role }, now),
      record('member.changed', subjectOf(one), now, { data: { role: [one.role, role] } }),
    ];
    return [
      `${to} is now the owner of the account, and ${from} is now an admin.`,
      ...change(user, 'admin'),
      ...change(member, 'owner'),
    ];
  });
}

/** Deletes a member's login; for an owner, the account with all its records, in steps. Calling it again resumes an interrupted deletion. */
async function deleteLogin(
  services: Services,
  { email, withLicenses }: NormalizedOptions,
): Promise<string> {
  const outcomeOf = ({ user }: Login, now: Date): Outcome => {
    if (user.role === 'owner') return [''];
    const data = { role: user.role, status: 'active' };
    return [
      `Deleted login ${email}. The records of the account remain.`,
      ...removalOf(user),
      record('member.removed', subjectOf(user), now, { data }),
    ];
  };
  const removed = await retryWhileBusy(() => decide(services, email, outcomeOf));
  if (removed) return removed;
  const store = services.get(Store);
  const { account } = (await services.get(AccountsService).findByEmail(email))!;
  const active = { user: account, ...hasStatus('ACTIVE', services.get(Clock).now()) };
  if (!withLicenses && (await retryWhileBusy(() => store.count(LICENSES, active, 1))) > 0) {
    throw new CommandError(
      `Account ${email} has active licenses. Revoke them first, or delete them too with --with-licenses.`,
    );
  }
  // First, so that nobody can log in and requests in progress add nothing.
  await removeRecords(services, TOTALS, { _id: account });
  for (const collection of COLLECTIONS) {
    if (collection.account) {
      await removeRecords(services, collection, { [collection.account]: account });
    }
  }
  return `Deleted account ${email} and all its records.`;
}

async function removeRecords(services: Services, collection: AnyCollection, filter: object) {
  const [store, decisions] = [services.get(Store), services.get(Decisions)];
  const step = async () => {
    if ((await store.count(collection, filter, 1)) === 0) return false;
    await decisions.commit([removeAll(collection, filter)]);
    return true;
  };
  while (await retryWhileBusy(step)) await setTimeout(PAUSE);
}

/** Retries a step while the store is too busy. */
async function retryWhileBusy<T>(step: () => Promise<T>): Promise<T> {
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
interface Login {
  readonly user: User;
  readonly account: AccountTotals | null;
}

/** The operator's line, and the changes of a command. */
type Outcome = [text: string, ...changes: Change[]];

async function decide(
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

/** Commits a decision and ends every session of the member; for an owner, every session of the account. */
async function endingSessions(
  services: Services,
  email: string,
  outcomeOf: (login: Login, now: Date) => Outcome,
): Promise<string> {
  let sessions = {};
  const text = await decide(services, email, (login, now) => {
    const { _id: user, account: accountId, role } = login.user;
    sessions = role === 'owner' ? { accountId } : { user };
    return [...outcomeOf(login, now), removeAll(SESSIONS, sessions)];
  });
  // The members of an account may have more sessions than one commit can remove.
  await removeRecords(services, SESSIONS, sessions);
  return text;
}

const isDisabled = ({ user, account }: Login): boolean =>
  user.role === 'owner' ? account?.disabledAt !== null : user.disabledAt !== null;

/** Disables the owner together with the account, however often its totals change; any other member alone. */
const disabling = ({ user, account }: Login, disabledAt: Date | null, now: Date): Change =>
  user.role === 'owner' && account
    ? setAll(TOTALS, { _id: account._id }, { disabledAt })
    : update(user, { disabledAt }, now);

const update = (user: User, fields: Partial<User>, updatedAt: Date): Change =>
  replace(USERS, user, { ...user, ...fields, updatedAt });

const withPassword = (what: string, email: string, password: string): string =>
  [
    what,
    `E-mail:   ${email}`,
    `Password: ${password}`,
    'Save the password now. It will not be shown again.',
  ].join('\n');

/** A random password: 24 characters, 144 bits. */
const generatePassword = (): string => randomBytes(18).toString('base64url');
