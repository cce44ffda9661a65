import type { Client } from '../../clients/client.js';
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
