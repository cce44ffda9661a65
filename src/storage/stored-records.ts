import type { User } from '../auth/accounts/user.js';
import type { RefreshTokenHashes, Session } from '../auth/sessions/session.js';
import type { SigningKeys } from '../certificates/signing-keys/signing-keys.js';
import type { Client } from '../clients/client.js';
import type { Totals } from '../dashboard/dashboard.js';
import type { LicenseEvent } from '../licenses/license-event.js';
import type { License } from '../licenses/license.js';
import type { Project } from '../projects/project.js';

/** The records of a deployment by their kind, in the same form on every engine. An `_id` is unique in its kind. */
export interface StoredRecords {
  /** The wrapped data keys, and the identity of the service's machine. */
  deployment: { readonly _id: string; readonly value: string };
  users: User;
  deletedAccounts: { readonly _id: string; readonly deletedAt: Date };
  sessions: Session & RefreshTokenHashes;
  loginAddresses: { readonly _id: string; readonly user: string; readonly usedAt: Date };
  signingKeys: SigningKeys;
  clients: Client & { readonly projectsCount: number };
  projects: Project & { readonly licensesCount: number };
  /** Without those of deleted projects. The events are the ones that a license keeps, the oldest first. */
  licenses: License & { readonly events: readonly LicenseEvent[] };
  /** The `_id` is that of the account. */
  totals: Totals & { readonly _id: string };
  idempotencyRecords: StoredIdempotencyRecord;
}

interface StoredIdempotencyRecord {
  readonly _id: string;
  /** Null, as is the sequence number, in a record of an early version, which expires within a day. */
  readonly owner: string | null;
  readonly sequence: number | null;
  readonly requestHash: string;
  readonly result: object;
  readonly expiresAt: Date;
}

export type Kind = keyof StoredRecords;

/** Every kind with its plural for the operator, in the order in which they are copied. */
export const KINDS: Readonly<Record<Kind, string>> = {
  deployment: 'items of the deployment',
  users: 'accounts',
  deletedAccounts: 'deleted accounts',
  sessions: 'sessions',
  loginAddresses: 'login addresses',
  signingKeys: 'signing keys',
  clients: 'clients',
  projects: 'projects',
  licenses: 'licenses',
  totals: 'totals',
  idempotencyRecords: 'idempotency records',
};

export const ALL_KINDS = Object.keys(KINDS) as Kind[];

/** The number of records of each kind. */
export type Counts = Readonly<Record<Kind, number>>;
