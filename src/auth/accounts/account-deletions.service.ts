import { Injectable } from '@nestjs/common';
import type { AccountId } from '../../shared/ids/account-id.js';
import { DeletedLicensesRepository } from '../../shared/deletion/deleted-licenses.repository.js';
import { Clock } from '../../shared/time/clock.js';
import { AccountDeletionRepository } from './account-deletion.repository.js';
import { UsersRepository } from './users.repository.js';

/** The outcome of a deletion; `activated_meanwhile` leaves the account disabled and partly deleted. */
export type AccountDeleted =
  'deleted' | 'not_found' | 'has_active_licenses' | 'activated_meanwhile';

/** Deletes accounts with all their records. */
@Injectable()
export class AccountDeletionsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly deletion: AccountDeletionRepository,
    private readonly deletedLicenses: DeletedLicensesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Disables the account first, so that nobody logs in meanwhile. The same call resumes an interrupted deletion.
   *
   * @param withLicenses deletes licenses that are ACTIVE and have not expired, too
   */
  async delete(email: string, withLicenses: boolean): Promise<AccountDeleted> {
    const user = await this.users.findByEmail(email);
    if (!user) return 'not_found';
    if (!withLicenses && (await this.deletion.hasActiveLicenses(user._id, this.clock.now()))) {
      return 'has_active_licenses';
    }
    await this.users.disable(email, this.clock.now());
    // Repeated, because an access token that has not expired may create records meanwhile.
    do {
      const outcome = await this.deleteProjects(user._id, withLicenses);
      if (outcome === 'has_active_licenses') return 'activated_meanwhile';
      while ((await this.deletion.deleteClients(user._id)) === 'deleted') continue;
    } while ((await this.deletion.deleteEmpty(user._id, this.clock.now())) === 'has_clients');
    return 'deleted';
  }

  private async deleteProjects(
    accountId: AccountId,
    withLicenses: boolean,
  ): Promise<'no_projects' | 'has_active_licenses'> {
    for (;;) {
      // Before the next project: the store bounds how many may wait. This process may be the only one on it.
      while ((await this.deletedLicenses.removeSome()) === 'removed') continue;
      const now = this.clock.now();
      const outcome = await this.deletion.deleteProject(accountId, !withLicenses, now);
      if (outcome !== 'deleted') return outcome;
    }
  }
}
