import type { AccountId } from '../shared/ids/account-id.js';
import type { PageRequest } from '../shared/pagination/page.js';
import type { Dashboard, LicenseCounts } from './dashboard.js';

/** The port by which the dashboard reads what the other features have stored. */
export abstract class DashboardRepository {
  /**
   * A page of the user's clients, newest first, each with its newest projects and those with their newest
   * licenses: in a number of queries, and a time, that depend on what is shown and not on what is stored.
   * The page has fewer clients than its limit where more would bring more than {@link MOST_LICENSES} licenses.
   */
  abstract read(
    accountId: AccountId,
    filter: DashboardFilter,
    page: PageRequest,
  ): Promise<Dashboard>;

  /** Counts the user's licenses. */
  abstract countLicenses(accountId: AccountId, query: CountQuery): Promise<LicenseCounts>;
}

/** Which clients a page of the dashboard shows; the totals are of everything. */
export interface DashboardFilter {
  readonly client: string | undefined;
  /** The beginning of a client's name or e-mail address in its search form. */
  readonly search: string | undefined;
}

export interface CountQuery {
  /** Decides what is active, and what has expired. */
  readonly now: Date;
  /** Counts the licenses that are active now and expire by each of these times. */
  readonly expiringBy: readonly Date[];
  /** Counts the activations of each day (UTC) from this time on. */
  readonly activatedSince: Date;
}
