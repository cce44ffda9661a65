import type { Client } from '../../../clients/client.js';
import type { License } from '../../../licenses/license.js';
import type { Project } from '../../../projects/project.js';
import { toAccountId } from '../../../shared/ids/account-id.js';
import type { Position } from '../../../shared/pagination/page.js';
import { searchForm } from '../../../shared/search/search-form.js';

/** A row as SQLite returns it, by the names of its columns. */
export type Row = Record<string, string | number | null>;

type Column = Row[string] | undefined;

/** A column that holds a time: milliseconds since 1970, UTC. */
export const toDate = (value: Column): Date => new Date(Number(value));

/** A column that holds a time or nothing. */
export const toDateOrNull = (value: Column): Date | null =>
  value === null || value === undefined ? null : toDate(value);

/** A column that holds a text or nothing. */
export const toTextOrNull = (value: Column): string | null =>
  value === null || value === undefined ? null : String(value);

/** A record as the parameters of a statement: times in milliseconds, lists as JSON. */
export function toRow(record: object): Row {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toColumn(value)]));
}

function toColumn(value: unknown): Row[string] {
  if (value instanceof Date) return value.getTime();
  return Array.isArray(value) ? JSON.stringify(value) : (value as Row[string]);
}

/**
 * The INSERT of a whole record, with a named parameter for each of its columns.
 *
 * @param condition `FROM` and `WHERE` of a SELECT: the record is inserted only where it finds a row
 */
export function insertInto(table: string, columns: readonly string[], condition?: string): string {
  const parameters = columns.map((column) => `$${column}`).join(', ');
  const values = condition ? `SELECT ${parameters} ${condition}` : `VALUES (${parameters})`;
  return `INSERT INTO ${table} (${columns.join(', ')}) ${values}`;
}

/** A position as the parameters of a statement. */
export interface PositionRow {
  readonly time: number;
  readonly _id: string;
}

const BEFORE_ALL = { time: Number.MIN_SAFE_INTEGER, _id: '' };
const AFTER_ALL = { time: Number.MAX_SAFE_INTEGER, _id: 'g' };

/** Where a page begins: the first page at an end of the list, so that one statement selects every page. */
export function startOf(after: Position | undefined, order: 'asc' | 'desc'): PositionRow {
  if (after) return { time: after.time.getTime(), _id: after._id };
  return order === 'asc' ? BEFORE_ALL : AFTER_ALL;
}

/** A client with its search forms, which are columns of its row. */
export const withSearchForms = (client: Client) => ({
  ...client,
  searchName: searchForm(client.name),
  searchEmail: searchForm(client.email),
});

export function toClient(row: Row): Client {
  return {
    _id: String(row._id),
    name: String(row.name),
    email: String(row.email),
    owner: toAccountId(String(row.owner)),
    createdAt: toDate(row.createdAt),
    updatedAt: toDate(row.updatedAt),
  };
}

export function toProject(row: Row): Project {
  return {
    _id: String(row._id),
    name: String(row.name),
    client: String(row.client),
    product: toTextOrNull(row.product),
    owner: toAccountId(String(row.owner)),
    createdAt: toDate(row.createdAt),
    updatedAt: toDate(row.updatedAt),
  };
}

export function toLicense(row: Row): License {
  return {
    _id: String(row._id),
    keyHash: String(row.keyHash),
    sealedKey: String(row.sealedKey),
    duration: Number(row.duration),
    issuedAt: toDate(row.issuedAt),
    expiresAt: toDate(row.expiresAt),
    termStart: toDate(row.termStart),
    termMonths: Number(row.termMonths),
    services: JSON.parse(String(row.services)) as License['services'],
    status: row.status as License['status'],
    user: toAccountId(String(row.user)),
    client: String(row.client),
    project: String(row.project),
    product: toTextOrNull(row.product),
    machineId: toTextOrNull(row.machineId),
    activatedAt: toDateOrNull(row.activatedAt),
    revokedAt: toDateOrNull(row.revokedAt),
    revokedReason: toTextOrNull(row.revokedReason),
    replaces: toTextOrNull(row.replaces),
    createdAt: toDate(row.createdAt),
    updatedAt: toDate(row.updatedAt),
  };
}
