import type { Client } from '../clients/client.js';
import { type Actor, currentActor } from '../events/event.js';
import type { License } from '../licenses/license.js';
import type { Project } from '../projects/project.js';
import { searchForm } from '../shared/fields/search-form.js';
import type { AccountId } from '../shared/ids.js';
import { addDays } from '../shared/time/calendar.js';
import {
  collection,
  NOT_STORED,
  type RecordOf,
  type Stored,
  field,
} from '../storage/collection.js';

/** How long deleted records can be restored. */
export const BIN_DAYS = 30;
/**
 * Maximum number of records in an account's bin, including the licenses of projects and their machines.
 * Beyond this, the oldest are erased first.
 */
export const MAX_BINNED = 200_000;

export const BINNED_KINDS = ['client', 'project', 'license'] as const;
export type BinnedKind = (typeof BINNED_KINDS)[number];

const FIELDS = {
  /** The id of the deleted record. */
  _id: field.id(),
  accountId: field.id<AccountId>(),
  kind: field.text<BinnedKind>(),
  /** The client of a project, or the project of a license. */
  parent: field.id().nullable(),
  /** The client that a project was deleted with. */
  deletedWith: field.id().nullable(),
  /**
   * Whether it can be restored by itself. A license is restored with its project, unless another license
   * has taken one of its unique values.
   */
  isListed: field.boolean(),
  name: field.text(),
  searchName: field.text(),
  /** Only for a project. */
  licensesCount: field.integer(),
  /** The record as it was stored. */
  record: field.json(),
  deletedAt: field.time(),
  by: field.json<Actor>(),
};

/** A deleted record. Machines of a deleted license stay stored, because they are only found through it. */
export type Binned = RecordOf<typeof FIELDS>;

export const BINNED = collection<Binned>('binned', {
  fields: FIELDS,
  indexes: [
    ['accountId', 'isListed', 'deletedAt', '_id'],
    ['accountId', 'deletedWith', '_id'],
    ['parent', 'isListed', '_id'],
    ['isListed', 'deletedAt', '_id'],
  ],
  account: 'accountId',
});

type Details = Pick<Binned, 'accountId' | 'kind' | 'name'> &
  Partial<Pick<Binned, 'parent' | 'deletedWith' | 'isListed' | 'licensesCount' | 'by'>>;

const binned = (record: Stored, details: Details, deletedAt: Date): Binned => ({
  _id: record._id,
  parent: null,
  deletedWith: null,
  isListed: true,
  searchName: searchForm(details.name),
  licensesCount: 0,
  by: currentActor(),
  ...details,
  record,
  deletedAt,
  version: NOT_STORED,
});

export const binnedClient = (client: Client, now: Date): Binned => ({
  ...binned(client, { accountId: client.owner, kind: 'client', name: client.name }, now),
  searchName: searchForm(`${client.name} ${client.email}`),
});

/** @param deletedWith the client it is deleted with */
export const binnedProject = (project: Project, deletedWith: string | null, now: Date): Binned => {
  const { owner: accountId, name, client: parent, licensesCount } = project;
  const details = { accountId, kind: 'project' as const, name, parent, deletedWith, licensesCount };
  return binned(project, details, now);
};

/** A license of a deleted project. */
export const binnedLicense = (license: License, name: string, by: Actor, now: Date): Binned => {
  const { user: accountId, project: parent } = license;
  const details = { accountId, kind: 'license' as const, name, parent, isListed: false, by };
  return binned(license, details, now);
};

/** The deleted record, ready to be stored again. */
export const recordIn = <R extends Stored>({ record }: Binned): R =>
  ({ ...record, version: NOT_STORED }) as R;

/** The number of records in the bin that it counts for. */
export const sizeOf = ({ licensesCount }: Pick<Binned, 'licensesCount'>): number =>
  1 + licensesCount;

/** Sorted by the time of deletion. */
export const EARLIEST_FIRST = { by: 'deletedAt', direction: 'asc' } as const;

/** Records deleted before this time are erased. */
export const binStart = (now: Date): Date => addDays(now, -BIN_DAYS);
