import type { License } from '../../licenses/license.js';
import { toAccountId } from '../../shared/ids/account-id.js';
import { insertInto, type Row, toDate, toDateOrNull, toTextOrNull } from './rows.js';

/** The INSERT of a license; a row count of 0 means that its key is taken. */
export const INSERT_LICENSE = `${insertInto('licenses', [
  '_id',
  'keyHash',
  'sealedKey',
  'duration',
  'issuedAt',
  'expiresAt',
  'termStart',
  'termMonths',
  'services',
  'status',
  'user',
  'client',
  'project',
  'machineId',
  'activatedAt',
  'revokedAt',
  'revokedReason',
  'replaces',
  'createdAt',
  'updatedAt',
])} ON CONFLICT (keyHash) DO NOTHING`;

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
    machineId: toTextOrNull(row.machineId),
    activatedAt: toDateOrNull(row.activatedAt),
    revokedAt: toDateOrNull(row.revokedAt),
    revokedReason: toTextOrNull(row.revokedReason),
    replaces: toTextOrNull(row.replaces),
    createdAt: toDate(row.createdAt),
    updatedAt: toDate(row.updatedAt),
  };
}
