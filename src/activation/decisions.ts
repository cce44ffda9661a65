import { type License, statusOf } from '../licenses/license.js';

/** The outcome of an attempt to activate a license. */
export type ActivationDecision =
  'revoked' | 'expired' | 'other_machine' | 'already_active' | 'activate';

/** Decides an activation. The specification fixes the order of the checks: the license before the machine. */
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

/** The outcomes of activating a license key; `not_found` where no license has the key. */
export const ACTIVATION_OUTCOMES = [
  'activated',
  'already_active',
  'not_found',
  'revoked',
  'expired',
  'other_machine',
] as const;

export const VALIDATION_STATUSES = [
  'active',
  'pending',
  'expired',
  'revoked',
  'machine_mismatch',
  'invalid',
] as const;

/** The outcome of validating a license key on a machine; `invalid` where no license has the key. */
export type ValidationStatus = (typeof VALIDATION_STATUSES)[number];

const STATUS_OF = {
  revoked: 'revoked',
  expired: 'expired',
  activate: 'pending',
  already_active: 'active',
  other_machine: 'machine_mismatch',
} as const satisfies Record<ActivationDecision, ValidationStatus>;

/** Decides a validation, by the same checks in the same order. */
export const decideValidation = (license: License, machineId: string, now: Date) =>
  STATUS_OF[decideActivation(license, machineId, now)];
