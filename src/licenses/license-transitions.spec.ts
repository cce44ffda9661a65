import { aClient } from '../../test/builders/client.builder.js';
import { aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import {
  can,
  endOfTerm,
  MAX_TERM,
  renewedTerm,
  storedStatusesBefore,
  type Transition,
} from './license-transitions.js';
import { type License, LICENSE_STATUSES, type LicenseStatus, termFrom } from './license.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const shifted = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const DAY = 86_400_000;

const aLicenseWith = (fields: Partial<License>) => aLicense(aProject(aClient()), fields);

/** A license that has just reached this status. */
function licenseThatIs(status: LicenseStatus): License {
  const active = { status: 'ACTIVE', activatedAt: shifted(-1) } as const;
  switch (status) {
    case 'ACTIVE':
      return aLicenseWith({ ...active, expiresAt: shifted(1) });
    case 'EXPIRED':
      return aLicenseWith({ ...active, expiresAt: NOW });
    case 'PENDING':
    case 'REVOKED':
      return aLicenseWith({ status, expiresAt: shifted(-1) });
  }
}

describe('a transition', () => {
  it.each<[Transition, LicenseStatus[]]>([
    ['activate', ['PENDING']],
    ['certify', ['ACTIVE']],
    ['renew', ['ACTIVE', 'EXPIRED']],
    ['revoke', ['PENDING', 'ACTIVE', 'EXPIRED']],
    ['reissue', ['PENDING', 'ACTIVE', 'EXPIRED']],
  ])('to %s can happen to a license that is %j, and to no other', (transition, from) => {
    const possible = LICENSE_STATUSES.filter((each) => can(transition, licenseThatIs(each), NOW));
    expect(possible).toEqual(from);
  });

  it.each<[Transition, string[]]>([
    ['activate', ['PENDING']],
    ['certify', ['ACTIVE']],
    ['renew', ['ACTIVE']],
    ['revoke', ['PENDING', 'ACTIVE']],
    ['reissue', ['PENDING', 'ACTIVE']],
  ])('to %s is conditional on the stored statuses %j', (transition, statuses) => {
    expect(storedStatusesBefore(transition)).toEqual(statuses);
  });
});

describe('renewedTerm', () => {
  const active = (start: string, termMonths: number) =>
    aLicenseWith({ status: 'ACTIVE', ...termFrom(new Date(start), termMonths) });

  it('extends an ACTIVE license from the start of its term, not from its end and not from now', () => {
    expect(renewedTerm(active('2025-08-31T08:00:00.000Z', 6), 1, NOW)).toEqual({
      termStart: new Date('2025-08-31T08:00:00.000Z'),
      termMonths: 7,
      expiresAt: new Date('2026-03-31T08:00:00.000Z'),
    });
  });

  it('starts a new term now for a license that has expired, whether just now or long ago', () => {
    for (const expiresAt of [NOW, shifted(-1), shifted(-900 * DAY)]) {
      const expired = aLicenseWith({ status: 'ACTIVE', termMonths: MAX_TERM, expiresAt });
      expect(renewedTerm(expired, 1, NOW)).toEqual(termFrom(NOW, 1));
    }
  });

  it('extends the term of a license that has a millisecond left', () => {
    const license = aLicenseWith({ status: 'ACTIVE', termMonths: 6, expiresAt: shifted(1) });
    expect(renewedTerm(license, 1, NOW)?.termMonths).toBe(7);
  });

  it.each([
    [MAX_TERM - 12, 12, MAX_TERM],
    [MAX_TERM - 1, 1, MAX_TERM],
    [MAX_TERM - 11, 12, undefined],
    [MAX_TERM, 1, undefined],
  ])('of %i months extended by %i has %p', (termMonths, more, total) => {
    const license = active('2026-01-01T00:00:00.000Z', termMonths);
    expect(renewedTerm(license, more, NOW)?.termMonths).toBe(total);
  });
});

describe('renewing one month at a time', () => {
  /** Renews until the term has this many months, and returns its end after each renewal. */
  const endsOnTheWay = (start: Date, months: number): string[] => {
    let license = aLicenseWith({ status: 'ACTIVE', ...termFrom(start, 1) });
    const ends = [license.expiresAt.toISOString()];
    for (let month = 1; month < months; month++) {
      license = { ...license, ...renewedTerm(license, 1, start)! };
      ends.push(license.expiresAt.toISOString());
    }
    return ends;
  };
  const endsAtOnce = (start: Date, months: number): string[] =>
    Array.from({ length: months }, (_, index) =>
      termFrom(start, index + 1).expiresAt.toISOString(),
    );

  const startDays = (from: string, until: string, keep: (day: Date) => boolean = () => true) => {
    const days: Date[] = [];
    for (let day = Date.parse(from); day < Date.parse(until); day += DAY) days.push(new Date(day));
    return days.filter(keep);
  };
  const isMonthEnd = (day: Date) => new Date(day.getTime() + DAY).getUTCDate() === 1;

  const everyDay = startDays('2023-01-01T23:59:59.999Z', '2027-01-01T00:00:00.000Z');
  it(`ends where renewing at once does: ${everyDay.length * 24} pairs of a day and 1 to 24 months`, () => {
    const wrong = everyDay.filter(
      (day) => endsOnTheWay(day, 24).join() !== endsAtOnce(day, 24).join(),
    );
    expect(wrong).toEqual([]);
    expect(everyDay).toHaveLength(4 * 365 + 1);
  });

  const monthEnds = startDays(
    '2024-01-28T12:00:00.000Z',
    '2025-01-01T00:00:00.000Z',
    (day) => day.getUTCDate() >= 28 || isMonthEnd(day),
  );
  it(`does so for a whole term of ${MAX_TERM} months: ${monthEnds.length * MAX_TERM} pairs from the ends of months`, () => {
    const wrong = monthEnds.filter(
      (day) => endsOnTheWay(day, MAX_TERM).join() !== endsAtOnce(day, MAX_TERM).join(),
    );
    expect(wrong).toEqual([]);
    expect(monthEnds).toHaveLength(42);
  });

  it('returns to the last day of long months after a short one', () => {
    const ends = endsOnTheWay(new Date('2024-01-31T00:00:00.000Z'), 14);
    expect(ends.map((end) => end.slice(2, 10)).join(' ')).toBe(
      '24-02-29 24-03-31 24-04-30 24-05-31 24-06-30 24-07-31 24-08-31 24-09-30 ' +
        '24-10-31 24-11-30 24-12-31 25-01-31 25-02-28 25-03-31',
    );
  });
});

describe('endOfTerm', () => {
  const bound = { activatedAt: shifted(-9), status: 'ACTIVE' } as const;
  const revoked = (revokedAt: Date) => ({ ...bound, status: 'REVOKED', revokedAt }) as const;

  it.each<[string, Partial<License>, number | null]>([
    ['is now', { ...bound, expiresAt: NOW }, 0],
    ['was a millisecond ago', { ...bound, expiresAt: shifted(-1) }, -1],
    ['has not come', { ...bound, expiresAt: shifted(1) }, null],
    ['never counts before an activation', { expiresAt: shifted(-5) }, null],
    ['had come when it was revoked', { ...revoked(shifted(-2)), expiresAt: shifted(-3) }, -3],
    ['came as it was revoked', { ...revoked(shifted(-2)), expiresAt: shifted(-2) }, -2],
    [
      'would have come after the revocation',
      { ...revoked(shifted(-2)), expiresAt: shifted(-1) },
      null,
    ],
    [
      'never counts of one that was revoked unused',
      { status: 'REVOKED', revokedAt: shifted(-2), expiresAt: shifted(-3) },
      null,
    ],
  ])('%s', (_when, fields, end) => {
    const license = aLicenseWith(fields);
    expect(endOfTerm(license, NOW)).toEqual(end === null ? null : shifted(end));
  });
});
