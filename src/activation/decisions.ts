import { type License, statusOf } from '../licenses/license.js';
import type { Machine } from '../machines/machine.js';
import { hasEndedLease, holdsSeat } from '../machines/seat.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { ErrorCode } from '../shared/errors/error-codes.js';

/** The outcomes of validating a license key on a machine, as messages; `invalid` if no license has the key. */
export const VALIDATION_MESSAGES = {
  active: 'License is valid',
  pending: 'License has not been activated',
  expired: 'License has expired',
  suspended: 'License is suspended',
  revoked: 'License has been revoked',
  machine_mismatch: 'License is activated on another machine',
  lease_ended: 'Lease of this machine has expired',
  invalid: 'License not found',
};

export type ValidationStatus = keyof typeof VALIDATION_MESSAGES;

export const VALIDATION_STATUSES = Object.keys(VALIDATION_MESSAGES) as ValidationStatus[];

/** Why a license cannot be used on any machine; null if it is PENDING or ACTIVE. */
export function decideUse(license: License, now: Date): 'revoked' | 'suspended' | 'expired' | null {
  switch (statusOf(license, now)) {
    case 'REVOKED':
      return 'revoked';
    case 'SUSPENDED':
      return 'suspended';
    case 'EXPIRED':
      return 'expired';
    case 'PENDING':
    case 'ACTIVE':
      return null;
  }
}

/**
 * Decides a validation. The specification fixes the order of the checks: the license before the machine.
 *
 * @param machine the machine's record, or null
 */
export function decideValidation(
  license: License,
  machine: Machine | null,
  now: Date,
): Exclude<ValidationStatus, 'invalid'> {
  const unusable = decideUse(license, now);
  if (unusable) return unusable;
  if (license.status === 'PENDING') return 'pending';
  if (holdsSeat(license, machine, now)) return 'active';
  return hasEndedLease(license, machine, now) ? 'lease_ended' : 'machine_mismatch';
}

/** The errors of rejected activations: unknown key, license status, or no seat for the machine. */
const REJECTIONS = {
  not_found: 'LICENSE_NOT_FOUND',
  revoked: 'LICENSE_REVOKED',
  suspended: 'LICENSE_SUSPENDED',
  expired: 'LICENSE_EXPIRED',
  other_machine: 'LICENSE_ON_ANOTHER_MACHINE',
  machine_limit: 'MACHINE_LIMIT_REACHED',
  trial_used: 'TRIAL_USED',
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** Why an activation is rejected. */
export type ActivationRejection = keyof typeof REJECTIONS;

/** The outcomes of activating a license key. */
export const ACTIVATION_OUTCOMES = [
  'activated',
  'already_active',
  ...(Object.keys(REJECTIONS) as ActivationRejection[]),
] as const;

/** The error if a license rejects a machine. */
export function rejectionOf(
  reason: ActivationRejection,
  license: License,
  {
    code,
    proof,
    nextLeaseEndsAt,
  }: {
    code?: ErrorCode | undefined;
    proof?: string | undefined;
    nextLeaseEndsAt?: Date | null;
  } = {},
): DomainError {
  const fields = {
    // On a full license, every record is a taken seat.
    ...(reason === 'machine_limit' && {
      machines: { used: license.seats, max: license.maxMachines },
    }),
    ...(nextLeaseEndsAt && {
      nextLeaseEndsAt,
      details: 'Release another machine of the license, or wait until a lease expires.',
    }),
    ...(proof !== undefined && { rejection: proof }),
  };
  return new DomainError(code ?? REJECTIONS[reason], fields);
}
