import { Types } from 'mongoose';
import type { License } from '../../../licenses/license.js';
import { toAccountId } from '../../../shared/ids/account-id.js';
import type { LicenseRecord } from './license.schema.js';

/** The record of a new license: one with the event of its creation. */
export function toLicenseRecord(license: License): LicenseRecord {
  return {
    _id: new Types.ObjectId(license._id),
    keyHash: license.keyHash,
    sealedKey: license.sealedKey,
    duration: license.duration,
    issuedAt: license.issuedAt,
    expiresAt: license.expiresAt,
    termStart: license.termStart,
    termMonths: license.termMonths,
    services: [...license.services],
    status: license.status,
    user: new Types.ObjectId(license.user),
    client: new Types.ObjectId(license.client),
    project: new Types.ObjectId(license.project),
    machineId: license.machineId,
    activatedAt: license.activatedAt,
    revokedAt: license.revokedAt,
    revokedReason: license.revokedReason,
    replaces: license.replaces === null ? null : new Types.ObjectId(license.replaces),
    eventsCount: 1,
    createdAt: license.createdAt,
    updatedAt: license.updatedAt,
  };
}

export function toLicense(record: LicenseRecord): License {
  return {
    _id: record._id.toHexString(),
    keyHash: record.keyHash,
    sealedKey: record.sealedKey,
    duration: record.duration,
    issuedAt: record.issuedAt,
    expiresAt: record.expiresAt,
    termStart: record.termStart,
    termMonths: record.termMonths,
    services: record.services,
    status: record.status,
    user: toAccountId(record.user.toHexString()),
    client: record.client.toHexString(),
    project: record.project.toHexString(),
    machineId: record.machineId,
    activatedAt: record.activatedAt,
    revokedAt: record.revokedAt,
    revokedReason: record.revokedReason,
    replaces: record.replaces?.toHexString() ?? null,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}
