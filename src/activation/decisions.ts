import { type License, statusOf } from '../licenses/license.js';
import { hasEndedLease, hasRoomFor, isOfOneMachine, placeOf } from '../licenses/machine.js';

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

/** The outcome of validating a license key on a machine; `invalid` where no license has the key. */
export type ValidationStatus = (typeof VALIDATION_STATUSES)[number];

/** Decides a validation. The specification fixes the order of the checks: the license before the machine. */
export function decideValidation(
  license: License,
  machineId: string,
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
      if (placeOf(license, machineId, now)) return 'active';
      return hasEndedLease(license, machineId, now) ? 'lease_ended' : 'machine_mismatch';
  }
}

/** Why an activation is rejected: the license may not be used, or no place is free for the machine. */
export const ACTIVATION_REJECTIONS = [
  'revoked',
  'suspended',
  'expired',
  'other_machine',
  'machine_limit',
  'trial_used',
] as const;
export type ActivationRejection = (typeof ACTIVATION_REJECTIONS)[number];

/** The outcomes of activating a license key; `not_found` where no license has the key. */
export const ACTIVATION_OUTCOMES = [
  'activated',
  'already_active',
  'not_found',
  ...ACTIVATION_REJECTIONS,
] as const;

/** Decides an activation, by the same checks in the same order. */
export function decideActivation(
  license: License,
  machineId: string,
  now: Date,
): Exclude<ActivationRejection, 'trial_used'> | 'already_active' | 'activate' {
  const status = decideValidation(license, machineId, now);
  switch (status) {
    case 'revoked':
    case 'suspended':
    case 'expired':
      return status;
    case 'pending':
      return 'activate';
    case 'active':
      return 'already_active';
    case 'machine_mismatch':
    case 'lease_ended':
      if (hasRoomFor(license, machineId, now)) return 'activate';
      return isOfOneMachine(license) ? 'other_machine' : 'machine_limit';
  }
}
