import { aLicense, aMachine, aProject } from '../../test/builders.js';
import type { License } from '../licenses/license.js';
import type { Machine } from '../machines/machine.js';
import { decideActivation, decideValidation } from './decisions.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const OPEN = new Date(NOW.getTime() + 1);
const HERE = aMachine('a'.repeat(64));
const MISMATCH = 'machine_mismatch';

function expectDecisions(
  fields: Partial<License>,
  machine: Machine | null,
  activation: string,
  validation: string,
) {
  const license = aLicense(aProject(), { status: 'ACTIVE', expiresAt: OPEN, ...fields });
  expect(decideActivation(license, machine, NOW)).toBe(activation);
  expect(decideValidation(license, machine, NOW)).toBe(validation);
}

// In the order of the checks: of two reasons to reject, the first is returned.
it.each([
  ['REVOKED', 'in 1 ms', 'holds a seat', 'revoked', 'revoked'],
  ['REVOKED', 'now', 'holds none', 'revoked', 'revoked'],
  ['SUSPENDED', 'in 1 ms', 'holds a seat', 'suspended', 'suspended'],
  ['SUSPENDED', 'now', 'holds none', 'suspended', 'suspended'],
  ['ACTIVE', 'now', 'holds a seat', 'expired', 'expired'],
  ['ACTIVE', 'now', 'holds none', 'expired', 'expired'],
  ['PENDING', 'now', 'holds none', 'activate', 'pending'],
  ['ACTIVE', 'in 1 ms', 'holds none', 'activate', MISMATCH],
  ['ACTIVE', 'in 1 ms', 'holds a seat', 'already_active', 'active'],
] as const)(
  'a license that is %s and ends %s, if the machine %s: activation is %s, validation is %s',
  (status, end, seat, activation, validation) => {
    const expiresAt = end === 'now' ? NOW : OPEN;
    const machine = seat === 'holds none' ? null : HERE;
    expectDecisions({ status, expiresAt }, machine, activation, validation);
  },
);

it.each([
  ['has a lease', { leaseEndsAt: OPEN }, 'already_active', 'active'],
  ['had a lease', { leaseEndsAt: NOW }, 'activate', 'lease_ended'],
  ['was released', { leaseEndsAt: OPEN, isReleased: true }, 'activate', MISMATCH],
])('a machine that %s', (_which, fields, activation, validation) => {
  expectDecisions({ leaseSeconds: 300 }, { ...HERE, ...fields }, activation, validation);
});
