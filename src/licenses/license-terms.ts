import type { Plan } from '../plans/plan.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { withLease } from '../machines/seat.js';
import { omitUndefined } from '../storage/filter.js';
import type { LicenseTermsDto, NewLicenseDto, UpdateLicenseDto } from './dto/license.dto.js';
import { isExpiryAnnounced, type Renewal } from './license-transitions.js';
import { addDays } from '../shared/time/calendar.js';
import {
  type License,
  type LicenseTerms,
  startsOnActivation,
  withTerm,
  withUpdatesUntil,
} from './license.js';
import {
  isPerpetual,
  newTerm,
  NO_END,
  PERPETUAL,
  requireNearEnd,
  type TermLength,
  termUntil,
} from './term.js';

/** The length of a term as a request states it: false and null count as omitted. */
export interface RequestedTerm {
  readonly duration?: number | null | undefined;
  readonly days?: number | null | undefined;
  readonly perpetual?: boolean | null | undefined;
}

/** The length of a requested term; undefined if the request omits it. */
export function lengthOf({ duration, days, perpetual }: RequestedTerm): TermLength | undefined {
  if (perpetual) return PERPETUAL;
  if (duration) return { duration, days: null };
  return days ? { duration: null, days } : undefined;
}

/**
 * @param choices the fields that the request can send; by default the fields of a new license @throws DomainError INVALID_TERM if the
 * request omits the term
 */
function requiredLength(term: RequestedTerm, choices?: string): TermLength {
  const length = lengthOf(term);
  if (!length) throw new DomainError('INVALID_TERM', omitUndefined({ details: choices }));
  return length;
}

const RENEWAL_CHOICES = 'Send one of duration (1 to 12 months), days, perpetual or updatesDays.';

/**
 * What a request renews: the term, the updates, or both.
 *
 * @throws DomainError INVALID_TERM if it renews neither
 */
export const renewalOf = ({
  updatesDays,
  ...term
}: RequestedTerm & { readonly updatesDays?: number | null }): Renewal =>
  updatesDays
    ? { length: lengthOf(term), updatesDays }
    : { length: requiredLength(term, RENEWAL_CHOICES) };

const DEFAULTS = { services: [], leaseSeconds: null, maxMachines: 1, release: 'owner' as const };

/** The limits and features in a request, and the remaining ones from a plan or license. */
const limitsOf = (
  { maxMachines, release, entitlements }: UpdateLicenseDto,
  rest: Pick<License, 'maxMachines' | 'release'> & Partial<Pick<License, 'entitlements'>>,
) => ({
  maxMachines: maxMachines ?? rest.maxMachines,
  release: release ?? rest.release,
  entitlements: entitlements ?? rest.entitlements ?? [],
});

/**
 * The terms of a new plan or license: from the request, or from the plan if the request omits them.
 *
 * @param choices see {@link requiredLength}
 */
export function planTermsOf(request: LicenseTermsDto, plan: Plan | null, choices?: string) {
  // A fixed expiry date replaces a length.
  const given = request.expiresAt ? PERPETUAL : lengthOf(request);
  const { duration, days } = given ?? plan ?? requiredLength(request, choices);
  const rest = plan ?? DEFAULTS;
  const services = request.services?.length ? request.services : rest.services;
  const leaseSeconds = request.leaseSeconds ?? rest.leaseSeconds;
  const updatesDays = request.updatesDays ?? plan?.updatesDays ?? null;
  return { duration, days, updatesDays, services, leaseSeconds, ...limitsOf(request, rest) };
}

/** The terms of a new license. */
export function termsOf(request: NewLicenseDto, plan: Plan | null, now: Date): LicenseTerms {
  const { expiresAt, updatesUntil, metadata, externalId } = request;
  if (expiresAt) requireNearEnd(expiresAt, now);
  const terms = planTermsOf(request, plan);
  return {
    ...terms,
    updatesUntil: updatesUntil ?? null,
    updatesDays: updatesUntil ? null : terms.updatesDays,
    expiresAt: expiresAt ?? NO_END,
    endIsFixed: Boolean(expiresAt),
    metadata: Object.entries(metadata ?? {}),
    externalId: externalId ?? null,
    plan: plan?._id ?? null,
  };
}

/** A license with a new expiry date, or perpetual if null; the same object if nothing changes. */
function withEnd(license: License, end: Date | null, now: Date): License {
  if (end === null) {
    if (isPerpetual(license)) return license;
    return { ...withTerm(license, newTerm(now, PERPETUAL), now), endIsFixed: false };
  }
  if (license.endIsFixed && license.expiresAt.getTime() === end.getTime()) return license;
  requireNearEnd(end, now);
  const ended = { ...withTerm(license, termUntil(end), now), endIsFixed: true };
  // A suspended license expires once it is resumed, unless an event has already said so.
  return license.status === 'SUSPENDED' && end <= now && !isExpiryAnnounced(license, now)
    ? { ...ended, nextNoticeAt: end }
    : ended;
}

/** A license with other updates: until a time, for days from the first activation, or unlimited if both are null. */
function withUpdates(license: License, { updatesUntil, updatesDays }: UpdateLicenseDto, now: Date) {
  if (updatesUntil === undefined && updatesDays === undefined) return license;
  const { activatedAt } = license;
  if (!updatesDays) return withUpdatesUntil(license, updatesUntil ?? null, now);
  if (activatedAt) return withUpdatesUntil(license, addDays(activatedAt, updatesDays), now);
  return { ...withUpdatesUntil(license, null, now), updatesDays };
}

/** Whether a change shortens a license. A term that has not started counts as if it started now. */
export function endsEarlier(before: License, after: License, now: Date): boolean {
  const { expiresAt } = startsOnActivation(before) ? newTerm(now, before) : before;
  return after.endIsFixed && after.expiresAt < expiresAt;
}

/**
 * Whether a change affects only the vendor's own notes, which a revoked license keeps. It may also remove
 * its external id.
 */
const areNotes = (changes: UpdateLicenseDto): boolean =>
  Object.keys(omitUndefined(changes)).every((name) => ['externalId', 'metadata'].includes(name));

/**
 * A license after a change of its terms. A plan supplies what the request omits, but the expiry date
 * changes only if the request has one.
 *
 * @param plan the plan in the request; null if it has none
 */
export function changedLicense(
  license: License,
  changes: UpdateLicenseDto,
  plan: Plan | null,
  now: Date,
): License {
  if (license.status === 'REVOKED' && !areNotes(changes)) {
    throw new DomainError('LICENSE_ALREADY_REVOKED');
  }
  const rest = plan ?? license;
  const { metadata, externalId = license.externalId, leaseSeconds = rest.leaseSeconds } = changes;
  const ending =
    changes.expiresAt === undefined ? license : withEnd(license, changes.expiresAt, now);
  const updating = withUpdates(ending, changes, now);
  const changed = {
    ...updating,
    ...limitsOf(changes, rest),
    services: changes.services ?? rest.services,
    metadata: metadata ? Object.entries(metadata) : license.metadata,
    externalId,
    plan: changes.plan === undefined ? license.plan : changes.plan,
    updatedAt: now,
  };
  return withLease(changed, leaseSeconds, now);
}
