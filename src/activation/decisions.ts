import { type License, statusOf } from '../licenses/license.js';
import type { Machine } from '../machines/machine.js';
import { hasEndedLease, holdsSeat } from '../machines/seat.js';

export const VALIDATION_STATUSES = [
  'active',
  'pending',
  'expired',
  'suspended',
  'revoked',
  'machine_mismatch',
  'lease_ended',
  'invalid',
] as const;

/** The outcome of validating a license key on a machine; `invalid` if no license has the key. */
export type ValidationStatus = (typeof VALIDATION_STATUSES)[number];

/**
 * Decides a validation. The specification fixes the order of the checks: the license before the machine.
 *
 * @param machine its record, or null
 */
export function decideValidation(
  license: License,
  machine: Machine | null,
  now: Date,
): Exclude<ValidationStatus, 'invalid'> {
  switch (statusOf(license, now)) {
    case 'REVOKED':
      return 'revoked';
    case 'SUSPENDED':
      return 'suspended';
    case 'EXPIRED':
      return 'expired';
    case 'PENDING':
      return 'pending';
    case 'ACTIVE':
      if (holdsSeat(license, machine, now)) return 'active';
      return hasEndedLease(license, machine, now) ? 'lease_ended' : 'machine_mismatch';
  }
}

/** Why an activation is rejected: the license may not be used, or no seat is free for the machine. */
export const ACTIVATION_REJECTIONS = [
  'revoked',
  'suspended',
  'expired',
  'other_machine',
  'machine_limit',
  'trial_used',
] as const;
export type ActivationRejection = (typeof ACTIVATION_REJECTIONS)[number];

/** The outcomes of activating a license key; `not_found` if no license has the key. */
export const ACTIVATION_OUTCOMES = [
  'activated',
  'already_active',
  'not_found',
  ...ACTIVATION_REJECTIONS,
] as const;

/** Decides an activation, by the same checks in the same order; whether a seat is free is decided by taking it. */
export function decideActivation(
  license: License,
  machine: Machine | null,
  now: Date,
): 'revoked' | 'suspended' | 'expired' | 'already_active' | 'activate' {
  const status = decideValidation(license, machine, now);
  switch (status) {
    case 'revoked':
    case 'suspended':
    case 'expired':
      return status;
    case 'active':
      return 'already_active';
    case 'pending':
    case 'machine_mismatch':
    case 'lease_ended':
      return 'activate';
  }
}
