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
  ['PENDING', NOW, null, 'activate', 'pending'],
  ['PENDING', OPEN, null, 'activate', 'pending'],
  ['ACTIVE', OPEN, ELSEWHERE, 'other_machine', 'machine_mismatch'],
  ['ACTIVE', OPEN, HERE, 'already_active', 'active'],
] as const;

describe('a license', () => {
  it.each(TABLE)(
    'that is %s, expires at %s and is bound to %s: activation is %s, validation is %s',
    (status, expiresAt, machineId, activation, validation) => {
      const license = { status, expiresAt, machineId } as License;
      expect(decideActivation(license, HERE, NOW)).toBe(activation);
      expect(decideValidation(license, HERE, NOW)).toBe(validation);
    },
  );
});
