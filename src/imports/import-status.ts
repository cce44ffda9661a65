import type { StoredStatus } from '../licenses/license.js';

/** The statuses of other products, and their equivalents here. */
export const IMPORT_STATUSES = {
  pending: 'PENDING',
  active: 'ACTIVE',
  past_due: 'ACTIVE',
  expired: 'ACTIVE',
  suspended: 'SUSPENDED',
  disabled: 'SUSPENDED',
  revoked: 'REVOKED',
  banned: 'REVOKED',
  refunded: 'REVOKED',
} as const satisfies Record<string, StoredStatus>;

export type ImportStatus = keyof typeof IMPORT_STATUSES;

/** The status that another product's word stands for; for example, `Past due` becomes `past_due`. */
export function importStatusOf(word: string): ImportStatus | undefined {
  const status = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return Object.hasOwn(IMPORT_STATUSES, status) ? (status as ImportStatus) : undefined;
}
