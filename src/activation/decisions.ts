import { type License, statusOf } from '../licenses/license.js';

/** What an attempt to activate a license comes to. */
export type ActivationDecision =
  'revoked' | 'expired' | 'other_machine' | 'already_active' | 'activate';

/**
 * Decides an activation; the order of the checks is the contract's: what is wrong with the license
 * itself comes before what is wrong with the machine.
 */
export function decideActivation(
  license: License,
  machineId: string,
  now: Date,
): ActivationDecision {
  switch (statusOf(license, now)) {
    case 'REVOKED':
      return 'revoked';
    case 'EXPIRED':
      return 'expired';
    case 'PENDING':
      return 'activate';
    case 'ACTIVE':
      return license.machineId === machineId ? 'already_active' : 'other_machine';
  }
}

export const VALIDATION_STATUSES = [
  'active',
  'pending',
  'expired',
  'revoked',
  'machine_mismatch',
  'invalid',
] as const;

/** What validation says of a license key on a machine; `invalid` is a key that no license has. */
export type ValidationStatus = (typeof VALIDATION_STATUSES)[number];

/** Decides the validation of a license; the order of the checks is the contract's. */
export function decideValidation(
  license: License,
  machineId: string,
  now: Date,
): Exclude<ValidationStatus, 'invalid'> {
  switch (statusOf(license, now)) {
    case 'REVOKED':
      return 'revoked';
    case 'EXPIRED':
      return 'expired';
    case 'PENDING':
      return 'pending';
    case 'ACTIVE':
      return license.machineId === machineId ? 'active' : 'machine_mismatch';
  }
}
