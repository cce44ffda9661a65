import type { Client } from '../../clients/client.js';
import { toAccountId } from '../../shared/ids/account-id.js';
import { searchForm } from '../../shared/search/search-form.js';
import { type Row, toDate } from './rows.js';

/** A client with the forms that it is found by, as they are stored beside it. */
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
