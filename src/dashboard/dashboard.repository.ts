import type { AccountId } from '../shared/ids/account-id.js';
import type { PageRequest } from '../shared/pagination/page.js';
import type { Dashboard, LicenseCounts } from './dashboard.js';

/** The port by which the dashboard reads the records of the other features. */
export abstract class DashboardRepository {
  /**
   * A page of the account's clients, newest first, each with its newest projects and their newest licenses.
   * Its queries and its time depend on what is shown, not on what is stored. The page has fewer clients than
   * its limit where more would exceed {@link MOST_LICENSES} licenses.
   */
  abstract read(
    accountId: AccountId,
    filter: DashboardFilter,
    page: PageRequest,
  ): Promise<Dashboard>;

  /** Counts the account's licenses. */
  abstract countLicenses(accountId: AccountId, query: CountQuery): Promise<LicenseCounts>;
}

/** Which clients a page of the dashboard shows; the totals are of everything. */
export interface DashboardFilter {
  readonly client: string | undefined;
  /** The beginning of a client's name or e-mail address in its search form. */
  readonly search: string | undefined;
}

export interface CountQuery {
  /** The time at which statuses are determined. */
  readonly now: Date;
  /** For each of these times, counts the licenses that are active now and expire by then. */
  readonly expiringBy: readonly Date[];
  /** Counts the activations of each day (UTC) from this time on. */
  readonly activatedSince: Date;
}
