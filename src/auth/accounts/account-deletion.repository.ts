import type { AccountId } from '../../shared/ids/account-id.js';

/** Licenses that are deleted in one transaction at most, each with its events. */
export const LICENSES_AT_ONCE = 100;

/** Clients that are deleted in one transaction at most. */
export const CLIENTS_AT_ONCE = 500;

/**
 * The port by which an account is deleted with everything that it has, in as many bounded transactions as it
 * takes. Each leaves the store consistent, so that a deletion that was interrupted is simply done again.
 */
export abstract class AccountDeletionRepository {
  /** Whether any license of the account is ACTIVE and has not expired. */
  abstract hasActiveLicenses(accountId: AccountId, now: Date): Promise<boolean>;

  /**
   * Deletes one project of the account with its licenses, or as many licenses of it as one transaction may.
   *
   * @param keepActiveAt deletes nothing of a project with a license that is ACTIVE and has not expired at
   *   this time; null deletes those, too
   */
  abstract deleteFromProject(
    accountId: AccountId,
    keepActiveAt: Date | null,
  ): Promise<'deleted' | 'has_active_licenses' | 'no_projects'>;

  /** Deletes clients without projects. */
  abstract deleteClients(accountId: AccountId): Promise<'deleted' | 'no_clients'>;

  /**
   * Deletes the account itself, with its sessions, login addresses and totals, if it has no clients. From then
   * on nothing can be created for it, by an access token that has not expired.
   */
  abstract deleteEmpty(accountId: AccountId, now: Date): Promise<'deleted' | 'has_clients'>;
}
