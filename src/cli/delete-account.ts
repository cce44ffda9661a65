import type { AccountsService } from '../auth/accounts/accounts.service.js';
import { COLLECTIONS } from '../collections.js';
import { LICENSES } from '../licenses/license.js';
import { hasStatus } from '../licenses/license-query.js';
import { PROJECTS } from '../projects/project.js';
import type { ProjectsService } from '../projects/projects.service.js';
import type { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import type { Clock } from '../shared/time/clock.js';
import { MAX_BATCH_SIZE, remove, removeAll } from '../storage/changes.js';
import type { AnyCollection } from '../storage/collection.js';
import type { Decisions } from '../storage/decisions.js';
import type { Store } from '../storage/store.js';
import { CommandError, notFound } from './command-error.js';

interface Services {
  readonly accounts: AccountsService;
  readonly projects: ProjectsService;
  readonly store: Store;
  readonly decisions: Decisions;
  readonly clock: Clock;
}

/**
 * Deletes the login of a member; of an owner, the account with all its records, in steps. Disables the account first, so that nobody
 * logs in meanwhile. The same call resumes an interrupted deletion.
 *
 * @param withLicenses deletes licenses that are ACTIVE and have not expired, too
 * @returns the line for the operator
 * @throws CommandError where there is no such account, or it has active licenses
 */
export async function deleteAccount(
  email: string,
  withLicenses: boolean,
  services: Services,
): Promise<string> {
  const { accounts, store, decisions, clock } = services;
  const user = await accounts.findByEmail(email);
  if (!user) throw notFound(email);
  if ((await accounts.remove(email)) === 'removed') {
    return `The login ${email} is deleted. What its account has is left as it is.`;
  }
  const active = { user: user.account, ...hasStatus('ACTIVE', clock.now()) };
  if (!withLicenses && (await store.count(LICENSES, active, 1)) > 0) {
    throw new CommandError(
      `Account ${email} has active licenses: revoke them first, or delete them with it by --with-licenses.`,
    );
  }
  await accounts.disable(email);
  try {
    await deleteProjects(user.account, withLicenses, services);
  } catch (error) {
    const { code } = error as Partial<DomainError>;
    if (code !== 'PROJECT_HAS_ACTIVE_LICENSES') throw error;
    throw new CommandError(
      `A license of ${email} was activated meanwhile. The account is disabled, and part of what it had is ` +
        'deleted: delete the rest by --with-licenses, or enable it.',
    );
  }
  for (const collection of COLLECTIONS) await removeRecords(collection, user.account, decisions);
  return `Account ${email} is deleted, with everything that it had.`;
}

/** Deletes the projects of an account, and then its totals, without which nothing can be created for it. */
async function deleteProjects(
  accountId: AccountId,
  withLicenses: boolean,
  { projects, store, decisions }: Services,
): Promise<void> {
  const byAge = { by: 'createdAt', direction: 'asc' } as const;
  for (;;) {
    // Read before the projects. An access token that has not expired may create one meanwhile, which changes the totals.
    const totals = await store.find(TOTALS, { _id: accountId });
    const [project] = await store.list(PROJECTS, { owner: accountId }, byAge, { limit: 1 });
    if (project) await projects.delete(project._id, accountId, withLicenses);
    else if (!totals || (await decisions.commit([remove(TOTALS, totals)])).ok) return;
  }
}

async function removeRecords(
  collection: AnyCollection,
  accountId: AccountId,
  decisions: Decisions,
) {
  if (!collection.account) return;
  const step = removeAll(collection, { [collection.account]: accountId });
  let committed;
  do committed = await decisions.commit([step]);
  while (committed.ok && committed.affected === MAX_BATCH_SIZE);
}
