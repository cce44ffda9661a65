import { randomBytes } from 'node:crypto';
import type { AccountsService } from '../auth/accounts/accounts.service.js';
import type { AccountOverview } from '../auth/accounts/user.js';
import { readAccountFields } from './account-fields.js';
import { CommandError, notFound } from './command-error.js';
import type { UserCommand } from './user-program.js';

export interface AccountServices {
  readonly accounts: AccountsService;
  /** @returns the line for the operator */
  readonly deleteAccount: (email: string, withLicenses: boolean) => Promise<string>;
}

/**
 * @returns the lines for the operator
 * @throws CommandError, DomainError
 */
export async function* runUserCommand(
  command: UserCommand,
  services: AccountServices,
): AsyncGenerator<string> {
  if (command.action === 'list') yield* list(services.accounts);
  else yield await manage(command, services);
}

function manage(
  command: Exclude<UserCommand, { action: 'list' }>,
  { accounts, deleteAccount }: AccountServices,
): Promise<string> {
  const { email, name } = readAccountFields(
    command.email,
    command.action === 'create' ? command.name : undefined,
  );
  switch (command.action) {
    case 'create':
      return create(accounts, email, name);
    case 'reset-password':
      return resetPassword(accounts, email);
    case 'disable':
      return disable(accounts, email);
    case 'enable':
      return enable(accounts, email);
    case 'transfer':
      return transfer(accounts, email, readAccountFields(command.to).email);
    case 'delete':
      return deleteAccount(email, command.withLicenses);
  }
}

async function* list(accounts: AccountsService): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const account of accounts.list()) {
    isEmpty = false;
    yield describeAccount(account);
  }
  if (isEmpty) yield 'There are no accounts.';
}

async function create(accounts: AccountsService, email: string, name: string): Promise<string> {
  const password = generatePassword();
  await accounts.create({ email, name, password });
  return report('Account created.', email, password);
}

async function resetPassword(accounts: AccountsService, email: string): Promise<string> {
  const password = generatePassword();
  if ((await accounts.resetPassword(email, password)) === 'not_found') throw notFound(email);
  return report('Password reset; every session of the account has ended.', email, password);
}

async function disable(accounts: AccountsService, email: string): Promise<string> {
  const outcome = await accounts.disable(email);
  if (outcome === 'not_found') throw notFound(email);
  if (outcome === 'already_disabled') return `Account ${email} was disabled before.`;
  return (
    `Account ${email} is disabled, and every session of it has ended. ` +
    'Of an owner, that is for all members and API keys. Its licenses are validated as before.'
  );
}

async function enable(accounts: AccountsService, email: string): Promise<string> {
  const outcome = await accounts.enable(email);
  if (outcome === 'not_found') throw notFound(email);
  if (outcome === 'already_enabled') return `Account ${email} was enabled before.`;
  return `Account ${email} is enabled: the login works again, and of an owner those of all members and the API keys.`;
}

async function transfer(accounts: AccountsService, from: string, to: string): Promise<string> {
  switch (await accounts.transfer(from, to)) {
    case 'not_found':
      throw notFound(from);
    case 'not_owner':
      throw new CommandError(`${from} is not the owner of an account.`);
    case 'no_member':
      throw new CommandError(
        `${to} is no enabled member of the account of ${from}: invite the new owner first.`,
      );
    case 'transferred':
      return `${to} is the owner of the account now, and ${from} an admin of it.`;
  }
}

function report(what: string, email: string, password: string): string {
  return [
    what,
    `E-mail:   ${email}`,
    `Password: ${password}`,
    'The password is shown this once and stored nowhere: keep it now.',
  ].join('\n');
}

/** One line of the list: fields separated by tabs, which a name or an e-mail address cannot contain. */
function describeAccount(account: AccountOverview): string {
  const { email, name, createdAt, disabledAt } = account;
  const { clientsCount, projectsCount, licensesCount } = account;
  return [
    email,
    name,
    `created ${createdAt.toISOString()}`,
    disabledAt ? `disabled ${disabledAt.toISOString()}` : 'enabled',
    `clients ${clientsCount}`,
    `projects ${projectsCount}`,
    `licenses ${licensesCount}`,
    account.role,
    `account ${account.account}`,
  ].join('\t');
}

/** A random password: 24 characters, 144 bits. */
function generatePassword(): string {
  return randomBytes(18).toString('base64url');
}
