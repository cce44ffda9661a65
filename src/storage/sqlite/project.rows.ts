import type { Project } from '../../projects/project.js';
import { toAccountId } from '../../shared/ids/account-id.js';
import { type Row, toDate } from './rows.js';

export function toProject(row: Row): Project {
  return {
    _id: String(row._id),
    name: String(row.name),
    client: String(row.client),
    owner: toAccountId(String(row.owner)),
    createdAt: toDate(row.createdAt),
    updatedAt: toDate(row.updatedAt),
  };
}
