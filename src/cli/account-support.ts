import { AccountsService, emailTaken } from '../auth/accounts/accounts.service.js';
import { newAccountEvent, type User } from '../auth/accounts/user.js';
import { API_KEYS, type ApiKey, MAX_API_KEYS } from '../auth/api-keys/api-key.js';
import { hasFactor, NO_FACTORS } from '../auth/factors/factors.js';
import { INVITATIONS, subjectOf } from '../auth/members/member.js';
import { PasswordHasher } from '../auth/passwords/password-hasher.js';
import { LOGIN_ADDRESSES } from '../auth/sessions/session.js';
import { EVENTS, record, SYSTEM } from '../events/event.js';
import { commandLine } from '../shared/config/command-line.js';
import { NEWEST_FIRST } from '../shared/pagination/page.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { type Change, increment, insert, remove, removeAll } from '../storage/changes.js';
import { Store } from '../storage/store.js';
import { DELIVERIES } from '../webhooks/delivery.js';
import { MAX_WEBHOOKS, subjectOf as subjectOfWebhook, WEBHOOKS } from '../webhooks/webhook.js';
import { readAccountFields } from './account-fields.js';
import { CommandError } from './command-error.js';
import {
  decide,
  endingSessions,
  generatePassword,
  type NormalizedOptions,
  update,
  withPassword,
} from './login-changes.js';
import type { Services } from './with-store.js';

/**
 * Secures a login that someone else may know: sets a new password and removes second factors, sessions and
 * API keys.
 */
export async function secure(services: Services, { email }: NormalizedOptions): Promise<string> {
  const password = generatePassword();
  const passwordHash = await services.get(PasswordHasher).hash(password);
  return endingSessions(services, email, async ({ user }, now) => {
    const keys = await apiKeysOf(services, user);
    const what =
      `All sessions have ended, second factors were removed, and ${count(keys.length, 'API key')} deleted. ` +
      `${count(await countWebhooks(services, user), 'webhook')} left. List them with ${commandLine(`user webhooks ${email}`)}.`;
    return [
      withPassword(what, email, password),
      // The attacker may have added a passkey.
      update(user, { passwordHash, factors: NO_FACTORS, wrongCodes: null }, now),
      insert(EVENTS, newAccountEvent('account.password_changed', user, now, { by: SYSTEM })),
      ...(hasFactor(user.factors)
        ? [insert(EVENTS, newAccountEvent('account.factors_reset', user, now, { by: SYSTEM }))]
        : []),
      ...keys.flatMap((key) => removalOf(key, now)),
    ];
  });
}

/** Sessions and API keys stay. Known network addresses do not, because they are stored by email address. */
export function changeEmail(
  services: Services,
  { email, to: given }: NormalizedOptions,
): Promise<string> {
  const { email: to } = readAccountFields(given);
  return decide(services, email, async ({ user }, now) => {
    if (await services.get(AccountsService).findByEmail(to)) throw emailTaken();
    const data = { email: [email, to] };
    return [
      `${email} is now ${to}. The password, sessions and API keys are unchanged.`,
      update(user, { email: to, emailConfirmedAt: null }, now),
      removeAll(LOGIN_ADDRESSES, { user: user._id }),
      record('member.changed', subjectOf({ ...user, email: to }), now, { data, by: SYSTEM }),
    ];
  });
}

export const deleteApiKey = (
  services: Services,
  { email, id: _id }: NormalizedOptions,
): Promise<string> =>
  decide(services, email, async ({ user }, now) => {
    const key = await services.get(Store).find(API_KEYS, { _id });
    if (key?.accountId !== user.account) throw notIn('API key', _id, email);
    return [`Deleted the API key ${key.name}.`, ...removalOf(key, now)];
  });

/** Deliveries beyond one commit are unreachable and not sent. */
export const deleteWebhook = (
  services: Services,
  { email, id: _id }: NormalizedOptions,
): Promise<string> =>
  decide(services, email, async ({ user }, now) => {
    const webhook = await services.get(Store).find(WEBHOOKS, { _id });
    if (webhook?.accountId !== user.account) throw notIn('webhook', _id, email);
    return [
      `Deleted the webhook to ${webhook.url}.`,
      removeAll(DELIVERIES, { webhook: _id }),
      increment(TOTALS, user.account, { webhooksCount: -1 }),
      remove(WEBHOOKS, webhook),
      record('webhook.deleted', subjectOfWebhook(webhook), now, { by: SYSTEM }),
    ];
  });

export const deleteInvitation = (
  services: Services,
  { email, id: _id }: NormalizedOptions,
): Promise<string> =>
  decide(services, email, async ({ user }, now) => {
    const invitation = await services.get(Store).find(INVITATIONS, { _id });
    if (invitation?.account !== user.account) throw notIn('invitation', _id, email);
    const data = { role: invitation.role, status: 'invited' };
    return [
      `Deleted the invitation for ${invitation.email}.`,
      remove(INVITATIONS, invitation),
      record('member.removed', subjectOf(invitation), now, { data, by: SYSTEM }),
    ];
  });

const notIn = (what: string, id: string, email: string) =>
  new CommandError(`The account of ${email} has no ${what} ${id}.`);

/** Lists the credentials that stay valid after a login gets a new password. */
export async function describeValid(services: Services, user: User): Promise<string> {
  const keys = (await apiKeysOf(services, user)).length;
  const webhooks = await countWebhooks(services, user);
  if (keys + webhooks === 0) return 'No API keys or webhooks are left.';
  return (
    `Still in use: ${count(keys, 'API key')} and ${count(webhooks, 'webhook')}. ` +
    `${commandLine(`user secure ${user.email}`)} deletes the API keys.`
  );
}

/** All API keys of an owner's account, or those created by another member. */
async function apiKeysOf(services: Services, user: User): Promise<ApiKey[]> {
  const { account: accountId } = user;
  const slice = { limit: MAX_API_KEYS };
  const all = await services.get(Store).list(API_KEYS, { accountId }, NEWEST_FIRST, slice);
  return all.filter(({ createdBy }) => user.role === 'owner' || createdBy === user._id);
}

const countWebhooks = (services: Services, { account: accountId }: User): Promise<number> =>
  services.get(Store).count(WEBHOOKS, { accountId }, MAX_WEBHOOKS);

const removalOf = (key: ApiKey, now: Date): Change[] => [
  remove(API_KEYS, key),
  record('api_key.deleted', key, now, { by: SYSTEM }),
];

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
