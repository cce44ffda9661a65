import { createHash } from 'node:crypto';
import type { AccountId } from '../shared/ids.js';
import type { ImportRowDto } from './dto/import-row.dto.js';

/** Identifies a row within its account, even after the account has moved to a deployment with other keys. */
export const rowId = (accountId: AccountId, source: string, ref: string): string =>
  createHash('sha256')
    .update(JSON.stringify([accountId, source, ref]))
    .digest('base64url');

/** The fields of a row, in the order of their digests. New fields are added at the end. */
export const ROW_FIELDS = [
  ...(['key', 'client', 'project', 'product', 'plan', 'status', 'issuedAt'] as const),
  ...(['activatedAt', 'expiresAt', 'duration', 'days', 'subscription'] as const),
  ...(['updatesUntil', 'updatesDays', 'maxMachines', 'leaseSeconds', 'release'] as const),
  ...(['entitlements', 'services', 'externalId', 'metadata', 'revokedReason', 'machines'] as const),
  ...(['suspendedReason', 'neverActivated'] as const),
] satisfies readonly (keyof ImportRowDto)[];

/** Characters of each digest: 24 bits. */
const LENGTH = 4;
/**
 * Stands for a field that the row lacks. Most rows lack most fields, and hashing them all would take a
 * tenth of an import's time.
 */
const ABSENT = '----';

/** A keyed digest of each field of a row. It shows later whether and where a row differs, and reveals nothing else. */
export const digestOf = (row: ImportRowDto, hash: (...parts: unknown[]) => string): string =>
  ROW_FIELDS.map((name) =>
    row[name] === undefined ? ABSENT : hash('import', name, row[name]).slice(0, LENGTH),
  ).join('');

/** @param before null after the account has moved, because only its previous deployment could compare */
export const differingFields = (before: string | null, after: string): string[] =>
  ROW_FIELDS.filter(
    (_name, index) => before !== null && partOf(before, index) !== partOf(after, index),
  );

const partOf = (digest: string, index: number) =>
  digest.slice(index * LENGTH, (index + 1) * LENGTH);
