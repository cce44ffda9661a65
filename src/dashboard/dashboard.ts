import type { Client } from '../clients/client.js';
import type { License } from '../licenses/license.js';
import type { Project } from '../projects/project.js';
import type { Page } from '../shared/pagination/page.js';

/** How many of a client's projects, and of a project's licenses, the dashboard shows: the newest. */
export const SHOWN = 20;

/** Most clients of a page. */
export const MOST_CLIENTS = 20;

/**
 * Most licenses of a page: as many as one client may bring, so that each page has a client. It ends before the
 * client that would exceed this.
 */
export const MOST_LICENSES = SHOWN * SHOWN;

/** How many licenses a client brings to a page, by the counts of those of its projects that are shown. */
export const licensesShown = (shown: readonly { readonly licensesCount: number }[]): number =>
  shown.reduce((sum, { licensesCount }) => sum + Math.min(licensesCount, SHOWN), 0);

/** How many records a user has in all. */
export interface Totals {
  readonly clientsCount: number;
  readonly projectsCount: number;
  readonly licensesCount: number;
}

export interface ProjectOverview {
  readonly project: Project;
  /** Of all its licenses, shown or not. */
  readonly licensesCount: number;
  /** The newest. */
  readonly licenses: readonly License[];
}

export interface ClientOverview {
  readonly client: Client;
  /** Of all its projects, shown or not. */
  readonly projectsCount: number;
  /** The newest. */
  readonly projects: readonly ProjectOverview[];
}

/** A page of a user's clients, with what belongs to them. */
export interface Dashboard {
  readonly totals: Totals;
  readonly page: Page<ClientOverview>;
}

/** A day (UTC, `2026-01-31`) and how many licenses were activated for the first time on it. */
export interface DayCount {
  readonly date: string;
  readonly count: number;
}

/** A user's licenses in numbers, at a moment. */
export interface LicenseCounts {
  readonly pending: number;
  readonly active: number;
  readonly expired: number;
  readonly revoked: number;
  /** Of the active ones, those that expire by each of the times that were asked for. */
  readonly expiringBy: readonly number[];
  /** Days without an activation are left out. */
  readonly activations: readonly DayCount[];
}
