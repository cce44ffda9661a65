import type { PageRequest } from '../../../shared/pagination/page.js';
import { prefixRange } from '../../../shared/search/search-form.js';
import { type PositionRow, type Row, startOf } from './rows.js';
import type { SqliteStore } from '../connection/sqlite-store.js';
import type { AccountId } from '../../../shared/ids/account-id.js';

/** Which of the account's clients are listed. */
export interface ClientFilter {
  readonly client?: string | undefined;
  /** In its search form. */
  readonly search: string | undefined;
}

/** The statement of a page of clients, newest first, and its parameters beside $owner and $limit. */
export interface ClientListStatement {
  readonly sql: string;
  readonly parameters: Row;
}

/** The rows of a page, and of the one client after it where there is one. */
export function selectClients(
  store: SqliteStore,
  account: AccountId,
  filter: ClientFilter,
  { limit, after }: PageRequest,
): Row[] {
  const { sql, parameters } = clientListStatement(filter, startOf(after, 'desc'));
  return store.prepare(sql).all({ owner: account, limit: limit + 1, ...parameters }) as Row[];
}

/** @param start where the page begins */
export function clientListStatement(
  { client, search }: ClientFilter,
  start: PositionRow,
): ClientListStatement {
  const conditions = `owner = $owner ${client === undefined ? '' : 'AND _id = $client'}`;
  const given: Row = { ...start, ...(client !== undefined && { client }) };
  if (search === undefined) return { sql: page('*', conditions, 'createdAt'), parameters: given };

  const { from, until } = prefixRange(search);
  // One index for each search form: every client of the page is on the first page of one of the two.
  const found = ['searchName', 'searchEmail'].map((form) => {
    const begins = `${conditions} AND ${form} >= $from AND ${form} < $until`;
    return `SELECT _id FROM (${page('_id', begins, '+createdAt')})`;
  });
  const sql = `SELECT * FROM clients WHERE _id IN (${found.join(' UNION ')})
    ORDER BY createdAt DESC, _id DESC LIMIT $limit`;
  return { sql, parameters: { ...given, from, until } };
}

/** @param time the sort column; a plus sign excludes the index in that order from the query plan */
const page = (columns: string, conditions: string, time: 'createdAt' | '+createdAt') =>
  `SELECT ${columns} FROM clients WHERE ${conditions} AND (${time}, _id) < ($time, $_id)
   ORDER BY ${time} DESC, _id DESC LIMIT $limit`;
