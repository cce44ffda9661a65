import { randomBytes } from 'node:crypto';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { AccountsService } from '../auth/accounts/accounts.service.js';
import type { AccountOverview } from '../auth/accounts/user.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { readAccountFields } from './account-fields.js';
import { CommandError, notFound } from './command-error.js';
import { deleteAccount } from './delete-account.js';
import { type Services, withStore } from './with-store.js';

export type AccountAction =
  | 'create'
  | 'reset-password'
  | 'disable'
  | 'enable'
  | 'transfer'
  | 'delete';

export interface AccountOptions {
  /** Of a new account. */
  readonly name?: string;
  /** The e-mail address of the new owner. */
  readonly to?: string;
  /** Deletes licenses that are ACTIVE and have not expired, too. */
  readonly withLicenses?: boolean;
}

/** Prints every login, one per line. */
export function listLogins(env = process.env): Promise<void> {
  return withStore(env, [AccountsModule], async (app) => {
    let isEmpty = true;
    for await (const account of app.get(AccountsService).list()) {
      isEmpty = false;
      console.log(describeAccount(account));
    }
    if (isEmpty) console.log('There are no accounts.');
  });
}

/**
 * Runs a command on an account, and logs it as one line on stderr.
 *
 * @returns the lines for the operator
 * @throws CommandError, DomainError, StartupError
 */
export function changeAccount(
  action: AccountAction,
  email: string,
  options?: AccountOptions,
  env = process.env,
): Promise<string> {
  return withStore(env, [AccountsModule], (app) => runAccountCommand(app, action, email, options));
}

/** As {@link changeAccount}, on an open store. */
export async function runAccountCommand(
  services: Services,
  action: AccountAction,
  given: string,
  options: AccountOptions = {},
): Promise<string> {
  const accounts = services.get(AccountsService);
  const { email, name } = readAccountFields(given, options.name);
  const before = await accounts.findByEmail(email);
  const text = await run(services, action, { ...options, email, name });
  const { account, _id: user } = (before ?? (await accounts.findByEmail(email)))!;
  services.get(SecurityLog).record('account_command', { action, account, user });
  return text;
}

type Fields = AccountOptions & { readonly email: string; readonly name: string };

function run(services: Services, action: AccountAction, fields: Fields): Promise<string> {
  const accounts = services.get(AccountsService);
  const { email, name, to = '', withLicenses = false } = fields;
  switch (action) {
    case 'create':
      return create(accounts, email, name);
    case 'reset-password':
      return resetPassword(accounts, email);
    case 'disable':
      return disable(accounts, email);
    case 'enable':
      return enable(accounts, email);
    case 'transfer':
      return transfer(accounts, email, readAccountFields(to).email);
    case 'delete':
      return deleteAccount(services, email, withLicenses);
  }
}

async function create(accounts: AccountsService, email: string, name: string): Promise<string> {
  const password = generatePassword();
  await accounts.create({ email, name, password });
  return report('Account created.', email, password);
}

async function resetPassword(accounts: AccountsService, email: string): Promise<string> {
  const password = generatePassword();
  if ((await accounts.resetPassword(email, password)) === 'not_found') throw notFound(email);
  return report('Password reset. Every session of the account has ended.', email, password);
}

async function disable(accounts: AccountsService, email: string): Promise<string> {
  switch (await accounts.disable(email)) {
    case 'not_found':
      throw notFound(email);
    case 'already_disabled':
      return `Account ${email} is already disabled.`;
    case 'disabled':
      return (
        `Account ${email} is disabled, and all its sessions have ended. ` +
        'Disabling an owner disables the whole account, including members and API keys. Its licenses keep validating.'
      );
  }
}

async function enable(accounts: AccountsService, email: string): Promise<string> {
  switch (await accounts.enable(email)) {
    case 'not_found':
      throw notFound(email);
    case 'already_enabled':
      return `Account ${email} is already enabled.`;
    case 'enabled':
      return `Account ${email} is enabled. Enabling an owner enables the whole account, including members and API keys.`;
  }
}

async function transfer(accounts: AccountsService, from: string, to: string): Promise<string> {
  switch (await accounts.transfer(from, to)) {
    case 'not_found':
      throw notFound(from);
    case 'not_owner':
      throw new CommandError(`${from} is not the owner of an account.`);
    case 'no_member':
      throw new CommandError(
        `${to} is not an enabled member of the account of ${from}: invite the new owner first.`,
      );
    case 'transferred':
      return `${to} is now the owner of the account, and ${from} an admin.`;
  }
}

const report = (what: string, email: string, password: string): string =>
  [
    what,
    `E-mail:   ${email}`,
    `Password: ${password}`,
    'Keep the password now: it is not stored, and will not be shown again.',
  ].join('\n');

/** Fields separated by tabs, which a name or an e-mail address cannot contain. */
const describeAccount = ({ email, name, role, account, createdAt, ...rest }: AccountOverview) =>
  [
    email,
    name,
    `created ${createdAt.toISOString()}`,
    rest.disabledAt ? `disabled ${rest.disabledAt.toISOString()}` : 'enabled',
    `clients ${rest.clientsCount}`,
    `projects ${rest.projectsCount}`,
    `licenses ${rest.licensesCount}`,
    role,
    `account ${account}`,
  ].join('\t');

/** A random password: 24 characters, 144 bits. */
const generatePassword = (): string => randomBytes(18).toString('base64url');
