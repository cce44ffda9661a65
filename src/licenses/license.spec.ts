import { toAccountId } from '../shared/ids/account-id.js';
import { NOT_STORED } from '../storage/collection.js';
import { issueLicense, statusOf, type StoredStatus, termFrom } from './license.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const at = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

describe('statusOf', () => {
  it.each([
    ['ACTIVE', 'ends in a millisecond', 1, 'ACTIVE'],
    ['ACTIVE', 'ends now', 0, 'EXPIRED'],
    ['ACTIVE', 'ended a millisecond ago', -1, 'EXPIRED'],
    ['PENDING', 'would end now', 0, 'PENDING'],
    ['PENDING', 'would have ended long ago', -1e12, 'PENDING'],
    ['REVOKED', 'ends later', 1, 'REVOKED'],
    ['REVOKED', 'ended long ago', -1e12, 'REVOKED'],
  ] satisfies [StoredStatus, string, number, string][])(
    '%s that %s (%i ms) is %s',
    (status, _end, ms, shown) => {
      expect(statusOf({ status, expiresAt: at(ms) }, NOW)).toBe(shown);
    },
  );
});

describe('termFrom', () => {
  it('starts now and ends whole months later, clamped to the last day of the month', () => {
    expect(termFrom(NOW, 1)).toEqual({
      termStart: NOW,
      termMonths: 1,
      expiresAt: new Date('2026-02-28T10:15:00.000Z'),
    });
  });
});

describe('issueLicense', () => {
  it('creates an unbound PENDING license, with the term that it would have if activated now', () => {
    const issued = {
      _id: '1'.repeat(24),
      version: NOT_STORED,
      keyHash: 'hash',
      sealedKey: 'sealed',
      duration: 6,
      services: ['Hosting'] as const,
      user: toAccountId('2'.repeat(24)),
      client: '3'.repeat(24),
      project: '4'.repeat(24),
      product: 'web-shop',
      replaces: '5'.repeat(24),
    };
    expect(issueLicense(issued, NOW)).toEqual({
      ...issued,
      status: 'PENDING',
      issuedAt: NOW,
      termStart: NOW,
      termMonths: 6,
      expiresAt: new Date('2026-07-31T10:15:00.000Z'),
      machineId: null,
      activatedAt: null,
      revokedAt: null,
      revokedReason: null,
      createdAt: NOW,
      updatedAt: NOW,
    });
  });
});
