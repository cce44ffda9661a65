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

/** The length of a term as a request names it: false and null count as left out. */
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

/**
 * @param choices what the request can name; that of a new license by default
 * @throws DomainError INVALID_TERM if the request leaves the term out
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
 * @throws DomainError INVALID_TERM if it names neither
 */
export const renewalOf = ({
  updatesDays,
  ...term
}: RequestedTerm & { readonly updatesDays?: number | null }): Renewal =>
  updatesDays
    ? { length: lengthOf(term), updatesDays }
    : { length: requiredLength(term, RENEWAL_CHOICES) };

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

/**
 * The terms of a new plan or license: those of a request, and of the plan where the request leaves them out.
 *
 * @param choices see {@link requiredLength}
 */
export function planTermsOf(request: LicenseTermsDto, plan: Plan | null, choices?: string) {
  // An absolute end takes the place of a length.
  const given = request.expiresAt ? PERPETUAL : lengthOf(request);
  const { duration, days } = given ?? plan ?? requiredLength(request, choices);
  const rest = plan ?? DEFAULTS;
  const services = request.services?.length ? request.services : rest.services;
  const leaseSeconds = request.leaseSeconds ?? rest.leaseSeconds;
  const updatesDays = request.updatesDays ?? plan?.updatesDays ?? null;
  return { duration, days, updatesDays, services, leaseSeconds, ...limitsOf(request, rest) };
}

/**
 * The terms of a new license.
 *
 * @throws DomainError INVALID_TERM, SERVICES_REQUIRED, LICENSE_TERM_TOO_LONG
 */
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

/** A license with another end, or perpetual without one; the same one if it has that end already. */
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

/** A license with other updates: until a time, for days from the first activation on, or, if both are null, without limit. */
function withUpdates(license: License, { updatesUntil, updatesDays }: UpdateLicenseDto, now: Date) {
  if (updatesUntil === undefined && updatesDays === undefined) return license;
  const { activatedAt } = license;
  if (!updatesDays) return withUpdatesUntil(license, updatesUntil ?? null, now);
  if (activatedAt) return withUpdatesUntil(license, addDays(activatedAt, updatesDays), now);
  return { ...withUpdatesUntil(license, null, now), updatesDays };
}

/** Whether a change of a license takes time from it; a term that has not begun counts as if it began now. */
export function endsEarlier(before: License, after: License, now: Date): boolean {
  const { expiresAt } = startsOnActivation(before) ? newTerm(now, before) : before;
  return after.endIsFixed && after.expiresAt < expiresAt;
}

/** Whether a change is of the vendor's own notes, which a revoked license still has: it may give its external id up. */
const areNotes = (changes: UpdateLicenseDto): boolean =>
  Object.keys(omitUndefined(changes)).every((name) => ['externalId', 'metadata'].includes(name));

/**
 * A license after a change of its terms. A plan gives it its own where the request has none; the end stays unless the request has one.
 *
 * @param plan the one that the request names; null where it names none
 * @throws DomainError LICENSE_ALREADY_REVOKED, LICENSE_TERM_TOO_LONG
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
