import { AccountsService } from '../auth/accounts/accounts.service.js';
import { newAccountEvent, removalOf, type User } from '../auth/accounts/user.js';
import { NO_FACTORS } from '../auth/factors/factors.js';
import { subjectOf } from '../auth/members/member.js';
import { PasswordHasher } from '../auth/passwords/password-hasher.js';
import { COLLECTIONS } from '../collections.js';
import { EVENTS, record, SYSTEM } from '../events/event.js';
import { LICENSES } from '../licenses/license.js';
import { hasStatus } from '../licenses/license-query.js';
import { PORTALS } from '../portal/portal.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert, setAll } from '../storage/changes.js';
import { Store } from '../storage/store.js';
import { readAccountFields } from './account-fields.js';
import { CommandError } from './command-error.js';
import {
  type AccountOptions,
  decide,
  endingSessions,
  generatePassword,
  type Login,
  type NormalizedOptions,
  type Outcome,
  removeRecords,
  retryWhileBusy,
  update,
  withPassword,
} from './login-changes.js';
import {
  changeEmail,
  deleteApiKey,
  deleteInvitation,
  deleteWebhook,
  describeValid,
  secure,
} from './account-support.js';
import type { Services } from './with-store.js';

/**
 * Runs a command on an account, and logs it as one line on stderr.
 *
 * @returns the lines for the operator
 * @throws CommandError, DomainError
 */
export async function runAccountCommand(
  services: Services,
  action: AccountAction,
  givenEmail: string,
  { name: givenName, to = '', id = '', withLicenses = false }: AccountOptions = {},
): Promise<string> {
  const accounts = services.get(AccountsService);
  const { email, name } = readAccountFields(givenEmail, givenName);
  const before = await accounts.findByEmail(email);
  const text = await COMMANDS[action](services, { email, name, to, id, withLicenses });
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
  'change-email': changeEmail,
  'reset-factors': resetFactors,
  secure,
  'delete-api-key': deleteApiKey,
  'delete-webhook': deleteWebhook,
  'delete-invitation': deleteInvitation,
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
  return endingSessions(services, email, async ({ user }, now) => [
    withPassword(
      `Password reset. All sessions have ended. ${await describeValid(services, user)}`,
      email,
      password,
    ),
    // Only someone who knows the old password can have locked the codes.
    update(user, { passwordHash, wrongCodes: null }, now),
    insert(EVENTS, newAccountEvent('account.password_changed', user, now, { by: SYSTEM })),
  ]);
}

function resetFactors(services: Services, { email }: NormalizedOptions): Promise<string> {
  return endingSessions(services, email, ({ user }, now) => [
    `Second factors removed for ${email}. All sessions have ended. The member logs in with the password and sets up new ones.`,
    update(user, { factors: NO_FACTORS, wrongCodes: null }, now),
    insert(EVENTS, newAccountEvent('account.factors_reset', user, now, { by: SYSTEM })),
  ]);
}

function disable(services: Services, { email }: NormalizedOptions): Promise<string> {
  return endingSessions(services, email, async (login, now) =>
    isDisabled(login)
      ? [`Account ${email} is already disabled.`]
      : [
          `Account ${email} is disabled, and all its sessions have ended. ${await leftBy(services, login)}`,
          ...disabling(login, now, now),
          insert(EVENTS, newAccountEvent('account.disabled', login.user, now, { by: SYSTEM })),
        ],
  );
}

function enable(services: Services, { email }: NormalizedOptions): Promise<string> {
  return decide(services, email, (login, now) =>
    isDisabled(login)
      ? [
          `Account ${email} is enabled. Enabling an owner enables the whole account, including members and API keys.`,
          ...disabling(login, null, now),
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
  // First, so nobody can log in and requests in progress add nothing.
  await removeRecords(services, TOTALS, { _id: account });
  for (const collection of COLLECTIONS) {
    if (collection.account) {
      await removeRecords(services, collection, { [collection.account]: account });
    }
  }
  return `Deleted account ${email} and all its records.`;
}

const isDisabled = ({ user, account }: Login): boolean =>
  user.role === 'owner' ? account?.disabledAt !== null : user.disabledAt !== null;

/**
 * Disables an owner together with the account, even if its totals keep changing; disables any other member
 * alone. Portal sessions of the account end for good.
 */
const disabling = ({ user, account }: Login, disabledAt: Date | null, now: Date): Change[] =>
  user.role === 'owner' && account
    ? [
        setAll(TOTALS, { _id: account._id }, { disabledAt }),
        setAll(PORTALS, { _id: account._id }, { enabledAt: now }),
      ]
    : [update(user, { disabledAt }, now)];

/** What a disabled login leaves in use. */
const leftBy = async (services: Services, { user }: Login): Promise<string> =>
  user.role === 'owner'
    ? 'Disabling an owner disables the whole account, including members and API keys. Its licenses keep validating.'
    : describeValid(services, user);
