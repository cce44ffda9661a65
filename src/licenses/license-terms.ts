import type { Plan } from '../plans/plan.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { License, LicenseTerms, ReleasePolicy, Service } from './license.js';
import { withLease } from '../machines/seat.js';
import { PERPETUAL, type TermLength } from './term.js';

/** A term as a request names it: false and null count as left out. */
export interface RequestedTerm {
  readonly duration?: number | null | undefined;
  readonly days?: number | null | undefined;
  readonly perpetual?: boolean | null | undefined;
}

/** The terms of a new license as a request names them. */
export interface RequestedTerms extends RequestedTerm {
  readonly services?: readonly Service[] | undefined;
  readonly maxMachines?: number | undefined;
  readonly leaseSeconds?: number | null | undefined;
  readonly release?: ReleasePolicy | undefined;
  readonly entitlements?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly externalId?: string | null | undefined;
  /** The id of a plan. */
  readonly plan?: string | null | undefined;
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

/** The terms of a new license: those of a request, and of the plan where the request leaves them out. */
export function termsOf(request: RequestedTerms, plan: Plan | null): LicenseTerms {
  const length = lengthOf(request) ?? plan ?? requiredLength(request);
  const services = request.services?.length ? request.services : plan?.services;
  if (!services) throw new DomainError('SERVICES_REQUIRED');
  return {
    duration: length.duration,
    days: length.days,
    services,
    maxMachines: request.maxMachines ?? plan?.maxMachines ?? 1,
    leaseSeconds: request.leaseSeconds ?? plan?.leaseSeconds ?? null,
    release: request.release ?? plan?.release ?? 'owner',
    entitlements: request.entitlements ?? plan?.entitlements ?? [],
    metadata: Object.entries(request.metadata ?? {}),
    externalId: request.externalId ?? null,
    plan: plan?._id ?? null,
  };
}

/** The fields of a license that a request changes. */
export type LicenseChanges = Omit<RequestedTerms, keyof RequestedTerm>;

/**
 * A license after a change of its terms. A plan gives it its own where the request has none; the term stays.
 *
 * @param plan the one that the request names; null where it names none
 * @throws DomainError LICENSE_ALREADY_REVOKED
 */
export function changedLicense(
  license: License,
  changes: LicenseChanges,
  plan: Plan | null,
  now: Date,
): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  const { metadata, externalId, leaseSeconds } = changes;
  const changed = {
    ...license,
    services: changes.services ?? plan?.services ?? license.services,
    maxMachines: changes.maxMachines ?? plan?.maxMachines ?? license.maxMachines,
    release: changes.release ?? plan?.release ?? license.release,
    entitlements: changes.entitlements ?? plan?.entitlements ?? license.entitlements,
    metadata: metadata ? Object.entries(metadata) : license.metadata,
    externalId: externalId === undefined ? license.externalId : externalId,
    plan: changes.plan === undefined ? license.plan : changes.plan,
    updatedAt: now,
  };
  const lease =
    leaseSeconds === undefined ? (plan ? plan.leaseSeconds : license.leaseSeconds) : leaseSeconds;
  return withLease(changed, lease, now);
}
