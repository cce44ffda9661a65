import type { Totals } from '../dashboard/dashboard.js';
import type { Quotas } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';

const QUOTAS = [
  ['clientsCount', 'clients', 'CLIENT_QUOTA_REACHED'],
  ['projectsCount', 'projects', 'PROJECT_QUOTA_REACHED'],
  ['licensesCount', 'licenses', 'LICENSE_QUOTA_REACHED'],
] as const;

/**
 * Holds an account to its quotas, within the transaction that adds the records.
 *
 * @param totals with the added records
 * @param added how many records of each kind the transaction adds; only these kinds are checked, so that
 *   an account over a lowered quota can still delete
 * @throws DomainError CLIENT_QUOTA_REACHED, PROJECT_QUOTA_REACHED, LICENSE_QUOTA_REACHED
 */
export function requireWithinQuotas(quotas: Quotas, totals: Totals, added: Partial<Totals>): void {
  for (const [count, quota, code] of QUOTAS) {
    const isExceeded = quotas[quota] > 0 && totals[count] > quotas[quota];
    if (isExceeded && (added[count] ?? 0) > 0) throw new DomainError(code);
  }
}
