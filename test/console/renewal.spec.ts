import { endAfterRenewal } from '../../console/src/licenses/renewal.js';
import { extendedTerm, newTerm, type TermLength } from '../../src/licenses/term.js';

const ACTIVATED = new Date('2026-01-31T10:00:00.000Z');
const MONTHS = 1;
const RENEWAL = { duration: MONTHS, days: null };

describe('The end of a license after its renewal, as the console shows it', () => {
  /** The license of a term that has been renewed once, at a time. */
  const shownAt = (now: Date, length: TermLength, status: 'ACTIVE' | 'SUSPENDED' | 'EXPIRED') => {
    const term = extendedTerm(newTerm(ACTIVATED, length), RENEWAL);
    const [activatedAt, expiresAt] = [ACTIVATED, term.expiresAt].map((at) => at.toISOString());
    const license = { ...length, status, activatedAt: activatedAt!, expiresAt: expiresAt! };
    return { term, end: endAfterRenewal(license, MONTHS, now) };
  };

  it.each([
    { duration: 1, days: null },
    { duration: 12, days: null },
    { duration: null, days: 1 },
    { duration: null, days: 14 },
    { duration: null, days: 400 },
  ])('is that of the service, with all months counted before all days: %j', (length) => {
    for (const status of ['ACTIVE', 'SUSPENDED'] as const) {
      const { term, end } = shownAt(ACTIVATED, length, status);
      expect(end).toEqual(extendedTerm(term, RENEWAL).expiresAt);
    }
  });

  it('is that of a new term where it has expired, also of a license that was suspended before', () => {
    const now = new Date('2026-08-31T10:00:00.000Z');
    for (const status of ['EXPIRED', 'SUSPENDED'] as const) {
      const { end } = shownAt(now, { duration: 1, days: null }, status);
      expect(end).toEqual(newTerm(now, RENEWAL).expiresAt);
    }
  });
});
