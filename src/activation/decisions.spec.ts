import { aMachine } from '../../test/builders.js';
import type { License } from '../licenses/license.js';
import type { Machine } from '../licenses/machine.js';
import { decideActivation, decideValidation } from './decisions.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const OPEN = new Date(NOW.getTime() + 1);
const HERE = aMachine('a'.repeat(64));
const ELSEWHERE = aMachine('b'.repeat(64));
const [LEASED, ENDED] = [{ leaseEndsAt: OPEN }, { leaseEndsAt: NOW }];
const MISMATCH = 'machine_mismatch';

const floating = (...machines: Machine[]) => ({ leaseSeconds: 300, machines });

function expectDecisions(fields: Partial<License>, activation: string, validation: string) {
  const active = { status: 'ACTIVE', expiresAt: OPEN, maxMachines: 1, leaseSeconds: null };
  const license = { ...active, ...fields } as unknown as License;
  expect(decideActivation(license, HERE.machineId, NOW)).toBe(activation);
  expect(decideValidation(license, HERE.machineId, NOW)).toBe(validation);
}

const MACHINES = { this: [HERE], another: [ELSEWHERE], no: [] };

// In the order of the checks: of two reasons to reject, the first is returned.
it.each([
  ['REVOKED', 'in 1 ms', 'this', 'revoked', 'revoked'],
  ['REVOKED', 'now', 'another', 'revoked', 'revoked'],
  ['REVOKED', 'in 1 ms', 'no', 'revoked', 'revoked'],
  ['SUSPENDED', 'in 1 ms', 'this', 'suspended', 'suspended'],
  ['SUSPENDED', 'now', 'another', 'suspended', 'suspended'],
  ['ACTIVE', 'now', 'this', 'expired', 'expired'],
  ['ACTIVE', 'now', 'another', 'expired', 'expired'],
  ['PENDING', 'now', 'no', 'activate', 'pending'],
  ['ACTIVE', 'in 1 ms', 'another', 'other_machine', MISMATCH],
  ['ACTIVE', 'in 1 ms', 'this', 'already_active', 'active'],
] as const)(
  'a license that is %s, ends %s and is on %s machine: activation is %s, validation is %s',
  (status, end, machine, activation, validation) => {
    const expiresAt = end === 'now' ? NOW : OPEN;
    expectDecisions({ status, expiresAt, machines: MACHINES[machine] }, activation, validation);
  },
);

const FULL = [ELSEWHERE, aMachine('c')];
const OVER = { ...HERE, ...ENDED };
const TAKEN = { ...ELSEWHERE, ...LEASED };
const RELEASED = { ...HERE, ...LEASED, isReleased: true };

it.each<[string, Partial<License>, string, string]>([
  ['has a free place', { maxMachines: 2, machines: [ELSEWHERE] }, 'activate', MISMATCH],
  ['has none left of two', { maxMachines: 2, machines: FULL }, 'machine_limit', MISMATCH],
  ['is leased', floating(TAKEN), 'machine_limit', MISMATCH],
  ['has an ended lease', floating({ ...ELSEWHERE, ...ENDED }), 'activate', MISMATCH],
  ['had a lease of this machine', floating(OVER), 'activate', 'lease_ended'],
  ['had one and is full', floating(OVER, TAKEN), 'machine_limit', 'lease_ended'],
  ['waits for a certificate of this machine', floating(RELEASED), 'activate', MISMATCH],
  ['has been released', { machines: [] }, 'activate', MISMATCH],
])('a license that %s', (_which, fields, activation, validation) => {
  expectDecisions(fields, activation, validation);
});
