import { aMachine } from '../../test/builders/license.builder.js';
import type { License } from '../licenses/license.js';
import { decideActivation, decideValidation } from './decisions.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const OPEN = new Date(NOW.getTime() + 1);
const HERE = 'a'.repeat(64);
const ELSEWHERE = 'b'.repeat(64);

// In the order of the checks: of two reasons to reject, the first is returned.
const TABLE = [
  ['REVOKED', NOW, ELSEWHERE, 'revoked', 'revoked'],
  ['REVOKED', OPEN, ELSEWHERE, 'revoked', 'revoked'],
  ['REVOKED', NOW, HERE, 'revoked', 'revoked'],
  ['REVOKED', OPEN, HERE, 'revoked', 'revoked'],
  ['REVOKED', OPEN, null, 'revoked', 'revoked'],
  ['ACTIVE', NOW, ELSEWHERE, 'expired', 'expired'],
  ['ACTIVE', NOW, HERE, 'expired', 'expired'],
  ['SUSPENDED', NOW, ELSEWHERE, 'suspended', 'suspended'],
  ['SUSPENDED', OPEN, HERE, 'suspended', 'suspended'],
  ['PENDING', NOW, null, 'activate', 'pending'],
  ['PENDING', OPEN, null, 'activate', 'pending'],
  ['ACTIVE', OPEN, ELSEWHERE, 'other_machine', 'machine_mismatch'],
  ['ACTIVE', OPEN, HERE, 'already_active', 'active'],
] as const;

describe('a license', () => {
  it.each(TABLE)(
    'that is %s, expires at %s and is bound to %s: activation is %s, validation is %s',
    (status, expiresAt, machineId, activation, validation) => {
      const machines = machineId === null ? [] : [aMachine(machineId)];
      const license = {
        ...{ status, expiresAt, machines, maxMachines: 1, leaseSeconds: null },
      } as unknown as License;
      expect(decideActivation(license, HERE, NOW)).toBe(activation);
      expect(decideValidation(license, HERE, NOW)).toBe(validation);
    },
  );

  const THERE = aMachine(ELSEWHERE);
  const ENDED = { leaseEndsAt: NOW };

  it.each<[string, Partial<License>, string, string]>([
    ['has a free place', { maxMachines: 2, machines: [THERE] }, 'activate', 'machine_mismatch'],
    [
      'has none left of two',
      { maxMachines: 2, machines: [THERE, aMachine('c')] },
      'machine_limit',
      'machine_mismatch',
    ],
    [
      'has one place with a lease',
      { leaseSeconds: 300, machines: [{ ...THERE, leaseEndsAt: OPEN }] },
      'machine_limit',
      'machine_mismatch',
    ],
    [
      'has the place of an ended lease',
      { leaseSeconds: 300, machines: [{ ...THERE, ...ENDED }] },
      'activate',
      'machine_mismatch',
    ],
    [
      'had a lease of this machine',
      { leaseSeconds: 300, machines: [aMachine(HERE, ENDED)] },
      'activate',
      'lease_ended',
    ],
    [
      'had a lease of this machine and is full',
      {
        ...{ leaseSeconds: 300, maxMachines: 1 },
        machines: [aMachine(HERE, ENDED), { ...THERE, leaseEndsAt: OPEN }],
      },
      'machine_limit',
      'lease_ended',
    ],
    [
      'was released by this machine and waits for a certificate',
      { leaseSeconds: 300, machines: [aMachine(HERE, { leaseEndsAt: OPEN, isReleased: true })] },
      'activate',
      'machine_mismatch',
    ],
    ['has been released', { machines: [] }, 'activate', 'machine_mismatch'],
  ])('that %s', (_which, fields, activation, validation) => {
    const active = { status: 'ACTIVE', expiresAt: OPEN, maxMachines: 1, leaseSeconds: null };
    const license = { ...active, ...fields } as unknown as License;
    expect(decideActivation(license, HERE, NOW)).toBe(activation);
    expect(decideValidation(license, HERE, NOW)).toBe(validation);
  });
});
