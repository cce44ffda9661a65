import { setTimeout } from 'node:timers/promises';
import { AccountsService } from '../auth/accounts/accounts.service.js';
import { COLLECTIONS } from '../collections.js';
import { LICENSES, type LicenseStatus } from '../licenses/license.js';
import { hasStatus } from '../licenses/license-query.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { removeAll } from '../storage/changes.js';
import type { AnyCollection } from '../storage/collection.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { CommandError, notFound } from './command-error.js';
import type { Services } from './with-store.js';

/** Milliseconds between two steps: on SQLite a service that writes meanwhile tries again every 10 ms. */
const PAUSE = 20;

const INACTIVE = ['PENDING', 'EXPIRED', 'SUSPENDED', 'REVOKED'] as const;

/**
 * Deletes the login of a member; of an owner, the account with all its records, in steps. Disables the account first, so that nobody
 * logs in meanwhile. The same call resumes an interrupted deletion.
 *
 * @param withLicenses deletes licenses that are ACTIVE and have not expired, too
 * @returns the line for the operator
 * @throws CommandError if there is no such account, or it has active licenses
 */
export async function deleteAccount(
  services: Services,
  email: string,
  withLicenses: boolean,
): Promise<string> {
  const [accounts, store] = [services.get(AccountsService), services.get(Store)];
  const user = await accounts.findByEmail(email);
  if (!user) throw notFound(email);
  if ((await accounts.remove(email)) === 'removed') {
    return `The login ${email} is deleted. The records of its account remain.`;
  }
  const { account } = user;
  const now = services.get(Clock).now();
  const withStatus = (status: LicenseStatus) => ({ user: account, ...hasStatus(status, now) });
  const hasActive = async () =>
    !withLicenses && (await store.count(LICENSES, withStatus('ACTIVE'), 1)) > 0;
  if (await hasActive()) {
    throw new CommandError(
      `Account ${email} has active licenses: revoke them first, or delete them as well with --with-licenses.`,
    );
  }
  await accounts.disable(email);
  for (const status of INACTIVE) await removeRecords(services, LICENSES, withStatus(status));
  if (await hasActive()) {
    throw new CommandError(
      `A license of ${email} was activated meanwhile. The account is disabled, and its other licenses are deleted: ` +
        'delete the rest with --with-licenses, or enable the account.',
    );
  }
  // First, so that requests in progress add nothing.
  await removeRecords(services, TOTALS, { _id: account });
  for (const collection of COLLECTIONS) {
    if (collection.account) {
      await removeRecords(services, collection, { [collection.account]: account });
    }
  }
  return `Account ${email} is deleted with all its records.`;
}

async function removeRecords(services: Services, collection: AnyCollection, filter: object) {
  const [store, decisions] = [services.get(Store), services.get(Decisions)];
  while ((await store.count(collection, filter, 1)) > 0) {
    const changes = [removeAll(collection, filter)];
    await decisions.run(async () => ({ result: undefined, changes }));
    await setTimeout(PAUSE);
  }
}
