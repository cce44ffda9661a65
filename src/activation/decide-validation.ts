import { type License, statusOf } from '../licenses/license.js';

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
