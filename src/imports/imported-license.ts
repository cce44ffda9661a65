import { termsOf } from '../licenses/license-terms.js';
import {
  type License,
  type LicenseTerms,
  withTerm,
  withUpdatesUntil,
} from '../licenses/license.js';
import { isPerpetual, newTerm, nextNotice } from '../licenses/term.js';
import type { Plan } from '../plans/plan.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { addDays } from '../shared/time/calendar.js';
import type { ImportMachineDto, ImportRowDto } from './dto/import-row.dto.js';
import { IMPORT_STATUSES } from './import-status.js';

/** A row whose parts have been validated. */
export type ValidRow = Omit<ImportRowDto, 'machines'> & {
  readonly machines: readonly ImportMachineDto[];
};

/** Whether the term has not started: the row has no machines, and no expiry date unless that is fixed. */
export const isUnused = ({
  status = 'active',
  neverActivated,
}: Pick<ImportRowDto, 'status' | 'neverActivated'>): boolean =>
  IMPORT_STATUSES[status] === 'PENDING' || neverActivated === true;

/** The expiry date according to the row; undefined if the row does not say. */
function requestedTerm(row: ValidRow) {
  const { status, expiresAt, duration, days, subscription } = row;
  if (expiresAt) return { expiresAt };
  const isLength = duration !== undefined || days !== undefined;
  const length = duration === undefined ? { days: days! } : { duration };
  if (subscription || status === 'expired') return undefined;
  // Once the license runs, the term it was issued with is history.
  if (expiresAt === null && !(isUnused(row) && isLength)) return { perpetual: true };
  return isLength ? length : undefined;
}

/** The terms of an imported license. A plan supplies what the row omits. */
export function importedTerms(row: ValidRow, plan: Plan | null, now: Date): LicenseTerms {
  const term = requestedTerm(row);
  const needsEnd = row.subscription === true || row.status === 'expired';
  if (!term && (needsEnd || !plan)) throw new DomainError('END_UNKNOWN', { field: 'expiresAt' });
  const { duration: _duration, days: _days, expiresAt: _expiresAt, plan: _plan, ...rest } = row;
  try {
    return termsOf({ ...rest, ...term }, plan, now);
  } catch (error) {
    const isTooLong = error instanceof DomainError && error.code === 'LICENSE_TERM_TOO_LONG';
    throw isTooLong ? new DomainError('END_TOO_FAR', { field: 'expiresAt' }) : error;
  }
}

/** A license as it was in the other product, based on one just issued by {@link importedTerms}. */
export function importedLicense(issued: License, row: ValidRow, now: Date): License {
  const { status: word = 'active', duration = null, days = null } = row;
  const status = IMPORT_STATUSES[word];
  const history = row.expiresAt ? { duration, days } : {};
  const isRevoked = status === 'REVOKED';
  const stopped = {
    suspendedReason: status === 'SUSPENDED' ? (row.suspendedReason ?? null) : null,
    revokedAt: isRevoked ? now : null,
    revokedReason: isRevoked ? (row.revokedReason ?? (word === 'revoked' ? null : word)) : null,
  };
  if (isUnused(row)) {
    return { ...issued, ...history, ...stopped, status, issuedAt: row.issuedAt ?? now };
  }
  const [first] = row.machines.flatMap((machine) => machine.activatedAt ?? []).sort(byTime);
  const activatedAt = row.activatedAt ?? first ?? row.issuedAt ?? now;
  const hasBegun = issued.endIsFixed || isPerpetual(issued);
  const begun = hasBegun ? issued : withTerm(issued, newTerm(activatedAt, issued), now);
  const { updatesDays } = begun;
  const updating =
    updatesDays === null ? begun : withUpdatesUntil(begun, addDays(activatedAt, updatesDays), now);
  return {
    ...updating,
    ...history,
    ...stopped,
    status,
    activatedAt,
    issuedAt: row.issuedAt ?? activatedAt,
    nextNoticeAt: nextNotice(updating, now),
  };
}

const byTime = (one: Date, other: Date) => one.getTime() - other.getTime();
