import { aLicense, aMachine, aProject } from '../../test/builders.js';
import { decideUse, decideValidation } from './decisions.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const OPEN = new Date(NOW.getTime() + 1);
const HERE = aMachine('a'.repeat(64));
const ENDED = { ...HERE, leaseEndsAt: NOW };
const RELEASED = { ...HERE, leaseEndsAt: OPEN, isReleased: true };

// In the order of the checks: if two reasons apply, the first is returned.
it.each([
  ['REVOKED', 'in 1 ms', 'holds a seat', HERE, 'revoked'],
  ['REVOKED', 'now', 'holds none', null, 'revoked'],
  ['SUSPENDED', 'in 1 ms', 'holds a seat', HERE, 'suspended'],
  ['SUSPENDED', 'now', 'holds none', null, 'suspended'],
  ['ACTIVE', 'now', 'holds a seat', HERE, 'expired'],
  ['ACTIVE', 'now', 'holds none', null, 'expired'],
  ['PENDING', 'now', 'holds none', null, 'pending'],
  ['ACTIVE', 'in 1 ms', 'holds none', null, 'machine_mismatch'],
  ['ACTIVE', 'in 1 ms', 'holds a seat', HERE, 'active'],
  ['ACTIVE', 'in 1 ms', 'had a lease', ENDED, 'lease_ended'],
  ['ACTIVE', 'in 1 ms', 'was released', RELEASED, 'machine_mismatch'],
] as const)(
  'a license that is %s and expires %s, if the machine %s',
  (status, end, _seat, machine, validation) => {
    const expiresAt = end === 'now' ? NOW : OPEN;
    const leaseSeconds = machine?.leaseEndsAt ? 300 : null;
    const license = aLicense(aProject(), { status, expiresAt, leaseSeconds });
    expect(decideValidation(license, machine, NOW)).toBe(validation);
    const isUnusable = ['revoked', 'suspended', 'expired'].includes(validation);
    expect(decideUse(license, NOW)).toBe(isUnusable ? validation : null);
  },
);
