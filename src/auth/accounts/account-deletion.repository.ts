import type { AccountId } from '../../shared/ids/account-id.js';

/** Maximum of clients deleted in one transaction. */
export const CLIENTS_AT_ONCE = 500;

/**
 * The port by which an account is deleted with all its records, in as many bounded transactions as needed.
 * Each leaves the store consistent, so an interrupted deletion is resumed by starting it again.
 */
export abstract class AccountDeletionRepository {
  /** Whether any license of the account is ACTIVE and has not expired. */
  abstract hasActiveLicenses(accountId: AccountId, now: Date): Promise<boolean>;

  /**
   * Deletes one project of the account. Its licenses are removed by {@link DeletedLicensesRepository}.
   *
   * @param keepsActive keeps a project with a license that is ACTIVE and has not expired
   */
  abstract deleteProject(
    accountId: AccountId,
    keepsActive: boolean,
    now: Date,
  ): Promise<'deleted' | 'has_active_licenses' | 'no_projects'>;

  /** Deletes clients without projects. */
  abstract deleteClients(accountId: AccountId): Promise<'deleted' | 'no_clients'>;

  /**
   * Deletes the account itself, with its sessions, login addresses, signing keys and totals, if it has no clients. From then
   * on, an access token that has not expired can create nothing for it.
   */
  abstract deleteEmpty(accountId: AccountId, now: Date): Promise<'deleted' | 'has_clients'>;
}
