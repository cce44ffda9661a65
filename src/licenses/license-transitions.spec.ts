import { aClient } from '../../test/builders/client.builder.js';
import { aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import type { DomainError } from '../shared/errors/domain-error.js';
import {
  activated,
  endOfTerm,
  MAX_TERM,
  reissued,
  renewed,
  revoked,
} from './license-transitions.js';
import { type License, type LicenseStatus, statusOf, termFrom } from './license.js';

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

/** What a transition does to a license: its status after it, or the code of the rejection. */
const outcomeOf = (transition: () => License): string => {
  try {
    return statusOf(transition(), NOW);
  } catch (error) {
    return (error as DomainError).code;
  }
};

describe('a license', () => {
  it.each<[LicenseStatus, string, string, string]>([
    ['PENDING', 'LICENSE_NOT_ACTIVATED', 'REVOKED', 'REVOKED'],
    ['ACTIVE', 'ACTIVE', 'REVOKED', 'REVOKED'],
    ['EXPIRED', 'ACTIVE', 'REVOKED', 'REVOKED'],
    ['REVOKED', 'LICENSE_ALREADY_REVOKED', 'REVOKED', 'LICENSE_ALREADY_REVOKED'],
  ])(
    'that is %s: renewal %s, revocation %s, reissue %s',
    (status, renewal, revocation, reissue) => {
      const license = licenseThatIs(status);
      expect(outcomeOf(() => renewed(license, 1, NOW))).toBe(renewal);
      expect(outcomeOf(() => revoked(license, null, NOW))).toBe(revocation);
      expect(outcomeOf(() => reissued(license, NOW))).toBe(reissue);
    },
  );
});

describe('activated', () => {
  it.each([1, 6, 12])('binds a license, and begins its term of %i months now', (duration) => {
    const license = aLicenseWith({ duration, ...termFrom(shifted(-9 * DAY), duration) });
    expect(activated(license, 'machine 1', NOW)).toStrictEqual({
      ...license,
      ...termFrom(NOW, duration),
      status: 'ACTIVE',
      machineId: 'machine 1',
      issuedAt: NOW,
      activatedAt: NOW,
      updatedAt: NOW,
    });
  });
});

describe('revoked', () => {
  it.each(['Contract ended', null])('stores the time, the reason %p and nothing else', (reason) => {
    const license = licenseThatIs('ACTIVE');
    expect(revoked(license, reason, NOW)).toStrictEqual({
      ...license,
      status: 'REVOKED',
      revokedAt: NOW,
      revokedReason: reason,
      updatedAt: NOW,
    });
  });

  it('leaves a revoked license as it is', () => {
    const license = licenseThatIs('REVOKED');
    expect(revoked(license, 'another reason', NOW)).toBe(license);
  });

  it('is said to be for a replacement after a reissue', () => {
    const license = licenseThatIs('PENDING');
    expect(reissued(license, NOW)).toStrictEqual(revoked(license, 'Reissued', NOW));
  });
});

describe('renewed', () => {
  const active = (start: string, termMonths: number) =>
    aLicenseWith({ status: 'ACTIVE', ...termFrom(new Date(start), termMonths) });

  it('extends an ACTIVE license from the start of its term, not from its end and not from now', () => {
    const license = active('2025-08-31T08:00:00.000Z', 6);
    expect(renewed(license, 1, NOW)).toStrictEqual({
      ...license,
      termMonths: 7,
      expiresAt: new Date('2026-03-31T08:00:00.000Z'),
      updatedAt: NOW,
    });
  });

  it('starts a new term now for a license that has expired, whether just now or long ago', () => {
    for (const expiresAt of [NOW, shifted(-1), shifted(-900 * DAY)]) {
      const expired = aLicenseWith({ status: 'ACTIVE', termMonths: MAX_TERM, expiresAt });
      expect(renewed(expired, 1, NOW)).toMatchObject(termFrom(NOW, 1));
    }
  });

  it('extends the term of a license that has a millisecond left', () => {
    const license = aLicenseWith({ status: 'ACTIVE', termMonths: 6, expiresAt: shifted(1) });
    expect(renewed(license, 1, NOW).termMonths).toBe(7);
  });

  it.each([
    [MAX_TERM - 12, 12],
    [MAX_TERM - 1, 1],
  ])('of %i months can be extended by %i', (termMonths, more) => {
    const license = active('2026-01-01T00:00:00.000Z', termMonths);
    expect(renewed(license, more, NOW).termMonths).toBe(MAX_TERM);
  });

  it.each([
    [MAX_TERM - 11, 12],
    [MAX_TERM, 1],
  ])('of %i months cannot be extended by %i', (termMonths, more) => {
    const license = active('2026-01-01T00:00:00.000Z', termMonths);
    expect(outcomeOf(() => renewed(license, more, NOW))).toBe('LICENSE_TERM_TOO_LONG');
  });
});

describe('renewing one month at a time', () => {
  /** Renews until the term has this many months, and returns its end after each renewal. */
  const endsOnTheWay = (start: Date, months: number): string[] => {
    let license = aLicenseWith({ status: 'ACTIVE', ...termFrom(start, 1) });
    const ends = [license.expiresAt.toISOString()];
    for (let month = 1; month < months; month++) {
      license = renewed(license, 1, start);
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
