import { DomainError } from '../shared/errors/domain-error.js';
import { addDays, DAY_MS } from '../shared/time/days.js';
import { nextNotice } from './expiry-notices.js';
import { type License, statusOf } from './license.js';
import {
  type Caller,
  endOfCertificates,
  type Machine,
  placeOf,
  withMachine,
  withoutMachine,
} from './machine.js';
import {
  extendedTerm,
  isPerpetual,
  isTooLong,
  newTerm,
  PERPETUAL,
  type Term,
  type TermLength,
} from './term.js';

/** Days in which the machines of a license may release themselves a number of times. */
const RELEASE_DAYS = 30;

/** A license after a machine has taken a place of it. The term of a PENDING one begins. */
export function activated(license: License, caller: Caller, now: Date): License {
  const bound = { ...withMachine(license, caller, now), updatedAt: now };
  if (license.status !== 'PENDING') return bound;
  const term = newTerm(now, license);
  const nextNoticeAt = nextNotice({ ...license, ...term }, now);
  return { ...bound, ...term, nextNoticeAt, status: 'ACTIVE', issuedAt: now, activatedAt: now };
}

/** A license after its revocation; the same one where it is REVOKED. */
export const revoked = (license: License, reason: string | null, now: Date): License =>
  license.status === 'REVOKED'
    ? license
    : { ...license, status: 'REVOKED', revokedAt: now, revokedReason: reason, updatedAt: now };

/**
 * A license that may not be used until it is resumed; the same one where it is SUSPENDED. Its term goes on.
 *
 * @throws DomainError LICENSE_ALREADY_REVOKED
 */
export function suspended(license: License, now: Date): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  if (license.status === 'SUSPENDED') return license;
  return { ...license, status: 'SUSPENDED', updatedAt: now };
}

/**
 * A license as it would be without its suspension; the same one where it is not SUSPENDED.
 *
 * @throws DomainError LICENSE_ALREADY_REVOKED
 */
export function resumed(license: License, now: Date): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  if (license.status !== 'SUSPENDED') return license;
  // Notices that became due meanwhile are left out, but for the end.
  const { nextNoticeAt, expiresAt } = license;
  const next = nextNoticeAt && (nextNotice(license, now) ?? expiresAt);
  return { ...withoutSuspension(license), nextNoticeAt: next, updatedAt: now };
}

const withoutSuspension = (license: License): License =>
  license.status === 'SUSPENDED'
    ? { ...license, status: license.activatedAt ? 'ACTIVE' : 'PENDING' }
    : license;

/**
 * A license after a replacement was issued for it. Its external id is the replacement's.
 *
 * @throws DomainError LICENSE_ALREADY_REVOKED, LICENSE_SUSPENDED
 */
export function reissued(license: License, now: Date): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  if (license.status === 'SUSPENDED') throw new DomainError('LICENSE_SUSPENDED');
  return { ...revoked(license, 'Reissued', now), externalId: null };
}

/**
 * What the replacement of a license is issued for where the request does not say: what is left of the term, in whole days.
 *
 * @throws DomainError TERM_REQUIRED where nothing is left
 */
export function remainingTerm(license: License, now: Date): TermLength {
  if (isPerpetual(license)) return PERPETUAL;
  switch (statusOf(license, now)) {
    case 'PENDING':
      return { duration: license.duration, days: license.days };
    case 'ACTIVE':
      return {
        duration: null,
        days: Math.ceil((license.expiresAt.getTime() - now.getTime()) / DAY_MS),
      };
    case 'EXPIRED':
    case 'SUSPENDED':
    case 'REVOKED':
      throw new DomainError('TERM_REQUIRED');
  }
}

/**
 * A license after its renewal. The term of an ACTIVE license is extended, counted from its start; an EXPIRED license starts a new
 * term now. A SUSPENDED one is renewed as what it would be, and stays SUSPENDED.
 *
 * @throws DomainError LICENSE_NOT_ACTIVATED, LICENSE_ALREADY_REVOKED, LICENSE_IS_PERPETUAL; LICENSE_TERM_TOO_LONG beyond
 *   {@link MAX_TERM_DAYS}
 */
export function renewed(license: License, length: TermLength, now: Date): License {
  const status = statusOf(withoutSuspension(license), now);
  if (status === 'PENDING') throw new DomainError('LICENSE_NOT_ACTIVATED');
  if (status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  if (isPerpetual(license)) throw new DomainError('LICENSE_IS_PERPETUAL');
  const term: Term = status === 'EXPIRED' ? newTerm(now, length) : extendedTerm(license, length);
  if (isTooLong(term)) throw new DomainError('LICENSE_TERM_TOO_LONG');
  const after = { ...license, ...(isPerpetual(length) && PERPETUAL), ...term, updatedAt: now };
  return { ...after, nextNoticeAt: nextNotice(after, now) };
}

export interface Released {
  readonly license: License;
  readonly machine: Machine;
  /** Until when the machine has a valid certificate, as far as the service knows it. */
  readonly certificateEndsAt: Date | null;
}

/**
 * A license after its vendor has released a machine.
 *
 * @throws DomainError MACHINE_NOT_FOUND
 */
export function released(license: License, machineId: string, now: Date): Released {
  const machine = placeOf(license, machineId, now);
  if (!machine) throw new DomainError('MACHINE_NOT_FOUND');
  return {
    license: { ...withoutMachine(license, machine, now), updatedAt: now },
    machine,
    certificateEndsAt: endOfCertificates(machine, now),
  };
}

/**
 * A license after a machine has released itself. The times are kept that count towards the limit.
 *
 * @throws DomainError RELEASE_NOT_ALLOWED, MACHINE_NOT_FOUND, CERTIFICATE_OUTSTANDING, RELEASE_LIMIT_REACHED
 */
export function selfReleased(license: License, machineId: string, now: Date): Released {
  if (license.release !== 'self') throw new DomainError('RELEASE_NOT_ALLOWED');
  const result = released(license, machineId, now);
  const { certificateEndsAt, leaseEndsAt } = result.machine;
  if (certificateEndsAt && certificateEndsAt > now) {
    throw new DomainError('CERTIFICATE_OUTSTANDING');
  }
  if (leaseEndsAt !== null) return result;
  const since = addDays(now, -RELEASE_DAYS).getTime();
  const counted = license.releasedAt.filter((time) => time > since);
  if (counted.length >= maxReleases(license)) throw new DomainError('RELEASE_LIMIT_REACHED');
  return { ...result, license: { ...result.license, releasedAt: [...counted, now.getTime()] } };
}

/** The number of times that machines of a license may release themselves in 30 days. */
const maxReleases = ({ maxMachines }: License) => 3 + Math.floor(maxMachines / 10);
