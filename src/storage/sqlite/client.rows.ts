import type { Client } from '../../clients/client.js';
import { prefixRange } from '../../shared/search/search-form.js';
import { type Row, toDate } from './rows.js';

export function toClient(row: Row): Client {
  return {
    _id: String(row._id),
    name: String(row.name),
    email: String(row.email),
    owner: String(row.owner),
    createdAt: toDate(row.createdAt),
    updatedAt: toDate(row.updatedAt),
  };
}

/** The condition of a search for clients; its parameters are those of {@link searchParameters}. */
export const SEARCHED = `(
  (searchName >= $from AND searchName < $until) OR (searchEmail >= $from AND searchEmail < $until)
)`;

export function searchParameters(search: string | undefined): Row {
  if (search === undefined) return {};
  const { from, until } = prefixRange(search);
  return { from, until };
}
