import type { Client } from '../clients/client.js';
import type { License } from '../licenses/license.js';
import type { Project } from '../projects/project.js';
import type { Page } from '../shared/pagination/page.js';

/** Maximum of projects shown for a client, and of licenses for a project: the newest. */
export const SHOWN = 20;

/** Maximum of clients on a page. */
export const MOST_CLIENTS = 20;

/**
 * Maximum of licenses on a page, which ends before the client that would exceed it. One client cannot, so no
 * page is empty.
 */
export const MOST_LICENSES = SHOWN * SHOWN;

/** The number of licenses shown for a client, given the license counts of its shown projects. */
export const licensesShown = (shown: readonly { readonly licensesCount: number }[]): number =>
  shown.reduce((sum, { licensesCount }) => sum + Math.min(licensesCount, SHOWN), 0);

/** The number of records of an account. */
export interface Totals {
  readonly clientsCount: number;
  readonly projectsCount: number;
  readonly licensesCount: number;
}

export interface ProjectOverview {
  readonly project: Project;
  /** All licenses of the project, shown or not. */
  readonly licensesCount: number;
  /** The newest. */
  readonly licenses: readonly License[];
}

export interface ClientOverview {
  readonly client: Client;
  /** All projects of the client, shown or not. */
  readonly projectsCount: number;
  /** The newest. */
  readonly projects: readonly ProjectOverview[];
}

/** A page of an account's clients, with their projects and licenses. */
export interface Dashboard {
  readonly totals: Totals;
  readonly page: Page<ClientOverview>;
}

/** The number of first activations of licenses on a day (UTC, `2026-01-31`). */
export interface DayCount {
  readonly date: string;
  readonly count: number;
}

/** Counts of an account's licenses at a time. */
export interface LicenseCounts {
  readonly pending: number;
  readonly active: number;
  readonly expired: number;
  readonly revoked: number;
  /** The active licenses that expire by each of the requested times. */
  readonly expiringBy: readonly number[];
  /** Without the days that have no activation. */
  readonly activations: readonly DayCount[];
}
