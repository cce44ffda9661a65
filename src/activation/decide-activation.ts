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
