import type { Plan } from '../plans/plan.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { withLease } from '../machines/seat.js';
import type { LicenseTermsDto, NewLicenseDto, UpdateLicenseDto } from './dto/license.dto.js';
import type { License, LicenseTerms } from './license.js';
import { PERPETUAL, type TermLength } from './term.js';

/** A term as a request names it: false and null count as left out. */
export interface RequestedTerm {
  readonly duration?: number | null | undefined;
  readonly days?: number | null | undefined;
  readonly perpetual?: boolean | null | undefined;
}

/** The length of a requested term; undefined where the request leaves it out. */
export function lengthOf({ duration, days, perpetual }: RequestedTerm): TermLength | undefined {
  if (perpetual) return PERPETUAL;
  if (duration) return { duration, days: null };
  return days ? { duration: null, days } : undefined;
}

/** @throws DomainError INVALID_DURATION where the request leaves the term out */
export function requiredLength(term: RequestedTerm): TermLength {
  const length = lengthOf(term);
  if (!length) throw new DomainError('INVALID_DURATION');
  return length;
}

const DEFAULTS = { services: [], leaseSeconds: null, maxMachines: 1, release: 'owner' as const };

/** The limits and features that a request names, and the others of a plan or a license. */
const limitsOf = (
  { maxMachines, release, entitlements }: UpdateLicenseDto,
  rest: Pick<License, 'maxMachines' | 'release'> & Partial<Pick<License, 'entitlements'>>,
) => ({
  maxMachines: maxMachines ?? rest.maxMachines,
  release: release ?? rest.release,
  entitlements: entitlements ?? rest.entitlements ?? [],
});

/** The terms of a new plan or license: those of a request, and of the plan where the request leaves them out. */
export function planTermsOf(request: LicenseTermsDto, plan: Plan | null) {
  const { duration, days } = lengthOf(request) ?? plan ?? requiredLength(request);
  const rest = plan ?? DEFAULTS;
  const services = request.services?.length ? request.services : rest.services;
  const leaseSeconds = request.leaseSeconds ?? rest.leaseSeconds;
  return { duration, days, services, leaseSeconds, ...limitsOf(request, rest) };
}

/** The terms of a new license. */
export const termsOf = (request: NewLicenseDto, plan: Plan | null): LicenseTerms => ({
  ...planTermsOf(request, plan),
  metadata: Object.entries(request.metadata ?? {}),
  externalId: request.externalId ?? null,
  plan: plan?._id ?? null,
});

/**
 * A license after a change of its terms. A plan gives it its own where the request has none; the term stays.
 *
 * @param plan the one that the request names; null where it names none
 * @throws DomainError LICENSE_ALREADY_REVOKED
 */
export function changedLicense(
  license: License,
  changes: UpdateLicenseDto,
  plan: Plan | null,
  now: Date,
): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  const rest = plan ?? license;
  const { metadata, externalId = license.externalId, leaseSeconds = rest.leaseSeconds } = changes;
  const changed = {
    ...license,
    ...limitsOf(changes, rest),
    services: changes.services ?? rest.services,
    metadata: metadata ? Object.entries(metadata) : license.metadata,
    externalId,
    plan: changes.plan === undefined ? license.plan : changes.plan,
    updatedAt: now,
  };
  return withLease(changed, leaseSeconds, now);
}
