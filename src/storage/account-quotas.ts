import type { Totals } from '../dashboard/dashboard.js';
import type { Quotas } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';

const QUOTAS = [
  ['clientsCount', 'clients', 'CLIENT_QUOTA_REACHED'],
  ['projectsCount', 'projects', 'PROJECT_QUOTA_REACHED'],
  ['licensesCount', 'licenses', 'LICENSE_QUOTA_REACHED'],
] as const;

/**
 * Rejects a transaction that exceeds a quota of its account. Idempotency records have a quota of their own, in the
 * repositories that store them.
 *
 * @param totals with the added records
 * @param added how many records of each kind are added; other kinds are not checked, because a quota may be lowered
 * @throws DomainError CLIENT_QUOTA_REACHED, PROJECT_QUOTA_REACHED, LICENSE_QUOTA_REACHED
 */
export function requireWithinQuotas(quotas: Quotas, totals: Totals, added: Partial<Totals>): void {
  const exceeded = exceededQuota(quotas, totals, added);
  if (exceeded) throw new DomainError(exceeded);
}

/** Whether this many more records of each kind could exceed a quota; for the parameters see {@link requireWithinQuotas}. */
export function isNearQuota(
  quotas: Quotas,
  totals: Totals,
  added: Partial<Totals>,
  more: number,
): boolean {
  const { clientsCount, projectsCount, licensesCount } = totals;
  const later = {
    clientsCount: clientsCount + more,
    projectsCount: projectsCount + more,
    licensesCount: licensesCount + more,
  };
  return exceededQuota(quotas, later, added) !== undefined;
}

const exceededQuota = (quotas: Quotas, totals: Totals, added: Partial<Totals>) =>
  QUOTAS.find(
    ([count, quota]) =>
      (added[count] ?? 0) > 0 && quotas[quota] > 0 && totals[count] > quotas[quota],
  )?.[2];
