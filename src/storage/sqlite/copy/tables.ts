import { EJSON } from 'bson';
import { keptEvents, type LicenseEvent } from '../../../licenses/license-event.js';
import type { Kind, StoredRecords } from '../../stored-records.js';
import type { SqliteStore } from '../connection/sqlite-store.js';
import {
  type Row,
  toClient,
  toDate,
  toLicense,
  toProject,
  toTextOrNull,
} from '../repositories/rows.js';
import { IS_NOT_DELETED } from '../repositories/sqlite-deleted-projects.js';
import { toEvent } from '../repositories/sqlite-license-events.repository.js';
import { toSession } from '../repositories/sqlite-sessions.repository.js';
import { toSigningKeys } from '../repositories/sqlite-signing-keys.repository.js';
import { toUser } from '../repositories/sqlite-users.repository.js';

interface Table<K extends Kind> {
  /** The table, or a subquery that has its rows with an `_id`. */
  readonly from: string;
  /** The records of a page of rows, in their order. */
  readonly toRecords: (rows: readonly Row[], store: SqliteStore) => StoredRecords[K][];
}

const each =
  <Record>(toRecord: (row: Row) => Record) =>
  (rows: readonly Row[]) =>
    rows.map(toRecord);

/** How each kind of record is read. */
export const TABLES: { readonly [K in Kind]: Table<K> } = {
  deployment: {
    from: '(SELECT item AS _id, value FROM deployment)',
    toRecords: each(({ _id, value }) => ({ _id: String(_id), value: String(value) })),
  },
  users: { from: 'users', toRecords: each(toUser) },
  deletedAccounts: {
    from: 'deleted_accounts',
    toRecords: each(({ _id, deletedAt }) => ({ _id: String(_id), deletedAt: toDate(deletedAt) })),
  },
  sessions: {
    from: 'sessions',
    toRecords: each((row) => ({
      ...toSession(row),
      familyHash: String(row.familyHash),
      tokenHash: String(row.tokenHash),
    })),
  },
  loginAddresses: {
    from: 'login_addresses',
    toRecords: each(({ _id, user, usedAt }) => ({
      _id: String(_id),
      user: String(user),
      usedAt: toDate(usedAt),
    })),
  },
  signingKeys: { from: 'signing_keys', toRecords: each(toSigningKeys) },
  clients: {
    from: 'clients',
    toRecords: each((row) => ({ ...toClient(row), projectsCount: Number(row.projectsCount) })),
  },
  projects: {
    from: 'projects',
    toRecords: each((row) => ({ ...toProject(row), licensesCount: Number(row.licensesCount) })),
  },
  // Nobody sees the licenses of a deleted project again: removing them is all that was left of its deletion.
  licenses: { from: `(SELECT * FROM licenses WHERE ${IS_NOT_DELETED})`, toRecords: withEvents },
  totals: {
    from: '(SELECT owner AS _id, clientsCount, projectsCount, licensesCount FROM totals)',
    toRecords: each((row) => ({
      _id: String(row._id),
      clientsCount: Number(row.clientsCount),
      projectsCount: Number(row.projectsCount),
      licensesCount: Number(row.licensesCount),
    })),
  },
  idempotencyRecords: {
    from: 'idempotency_records',
    toRecords: each((row) => ({
      _id: String(row._id),
      owner: toTextOrNull(row.owner),
      sequence: row.sequence === null ? null : Number(row.sequence),
      requestHash: String(row.requestHash),
      result: EJSON.parse(String(row.result)) as object,
      expiresAt: toDate(row.expiresAt),
    })),
  },
};

function withEvents(rows: readonly Row[], store: SqliteStore): StoredRecords['licenses'][] {
  const licenses = rows.map(toLicense);
  const eventsOf = new Map(licenses.map(({ _id }) => [_id, [] as LicenseEvent[]]));
  const events = store.prepare(
    'SELECT * FROM license_events WHERE license BETWEEN ? AND ? ORDER BY license, at, _id',
  );
  const [first, last] = [licenses[0]?._id ?? '', licenses.at(-1)?._id ?? ''];
  for (const row of events.all(first, last) as Row[]) {
    eventsOf.get(String(row.license))?.push(toEvent(row));
  }
  return licenses.map((license) => ({
    ...license,
    // A store of a version before 0.4 may have more.
    events: keptEvents(eventsOf.get(license._id) ?? []),
  }));
}
