import { aLicense, aProject } from '../../test/builders.js';
import type { DomainError } from '../shared/errors/domain-error.js';
import { changedLicense } from './license-terms.js';
import {
  activated,
  forLength,
  reissued,
  remainingTerm,
  renewed,
  resumed,
  revoked,
  selfReleased,
  suspended,
} from './license-transitions.js';
import { type License, type LicenseStatus, statusOf } from './license.js';
import {
  extendedTerm,
  newTerm,
  nextNotice,
  NO_END,
  PERPETUAL,
  type TermLength,
  termUntil,
} from './term.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const shifted = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const DAY = 86_400_000;

const months = (duration: number): TermLength => ({ duration, days: null });
const days = (count: number): TermLength => ({ duration: null, days: count });

const aLicenseWith = (fields: Partial<License>) => aLicense(aProject(), fields);

const STARTED = { status: 'ACTIVE', activatedAt: shifted(-1) } as const;
const JUST_REACHED: Readonly<Record<LicenseStatus, Partial<License>>> = {
  PENDING: { expiresAt: shifted(-1) },
  ACTIVE: { ...STARTED, expiresAt: shifted(1) },
  EXPIRED: { ...STARTED, expiresAt: NOW },
  SUSPENDED: { ...STARTED, status: 'SUSPENDED', expiresAt: shifted(1) },
  REVOKED: { status: 'REVOKED', expiresAt: shifted(-1) },
};
const licenseThatIs = (status: LicenseStatus) => aLicenseWith(JUST_REACHED[status]);

/** The effect of a transition on a license: its new status, or the code of the rejection. */
const outcomeOf = (transition: () => License): string => {
  try {
    return statusOf(transition(), NOW);
  } catch (error) {
    return (error as DomainError).code;
  }
};

const ALREADY = 'LICENSE_ALREADY_REVOKED';

describe('a license', () => {
  it.each<[LicenseStatus, string, string, string, string]>([
    ['PENDING', 'LICENSE_NOT_ACTIVATED', 'REVOKED', 'SUSPENDED', 'PENDING'],
    ['ACTIVE', 'ACTIVE', 'REVOKED', 'SUSPENDED', 'ACTIVE'],
    ['EXPIRED', 'ACTIVE', 'REVOKED', 'SUSPENDED', 'EXPIRED'],
    ['SUSPENDED', 'SUSPENDED', 'LICENSE_SUSPENDED', 'SUSPENDED', 'ACTIVE'],
    ['REVOKED', ALREADY, ALREADY, ALREADY, ALREADY],
  ])(
    'that is %s: renewal %s, reissue %s, suspension %s, resumption %s, and revocation always REVOKED',
    (status, renewal, reissue, suspension, resumption) => {
      const license = licenseThatIs(status);
      expect(outcomeOf(() => renewed(license, { length: months(1) }, NOW))).toBe(renewal);
      expect(outcomeOf(() => revoked(license, null, NOW))).toBe('REVOKED');
      expect(outcomeOf(() => reissued(license, false, NOW))).toBe(reissue);
      expect(outcomeOf(() => suspended(license, null, NOW))).toBe(suspension);
      expect(outcomeOf(() => resumed(license, NOW))).toBe(resumption);
    },
  );

  it.each(['PENDING', 'ACTIVE', 'EXPIRED'] as const)(
    'that was %s is unchanged by a suspension, and is suspended and resumed only once',
    (status) => {
      const license = licenseThatIs(status);
      const paused = suspended(license, null, NOW);
      expect(suspended(paused, null, NOW)).toBe(paused);
      expect(resumed(paused, NOW)).toEqual({ ...license, updatedAt: NOW });
      expect(resumed(license, NOW)).toBe(license);
    },
  );
});

describe('a term', () => {
  it('is its start plus all months, clamped, plus all days of 24 hours', () => {
    const term = extendedTerm(newTerm(NOW, days(30)), months(1));
    expect(term.expiresAt).toEqual(new Date('2026-03-30T10:15:00.000Z'));
    expect(extendedTerm(term, days(3)).expiresAt).toEqual(new Date('2026-04-02T10:15:00.000Z'));
  });

  it('is perpetual if neither months nor days are given', () => {
    const endless = { termStart: NOW, termMonths: 0, termDays: 0, expiresAt: NO_END };
    expect(newTerm(NOW, PERPETUAL)).toEqual(endless);
    expect(extendedTerm(newTerm(NOW, months(6)), PERPETUAL)).toEqual(endless);
  });
});

describe('the remaining term', () => {
  it.each([
    [1, 1],
    [DAY, 1],
    [DAY + 1, 2],
    [400 * DAY, 400],
  ])('of %i ms is %i days', (left, count) => {
    const license = aLicenseWith({ ...STARTED, expiresAt: shifted(left) });
    expect(remainingTerm(license, NOW)).toEqual(forLength(days(count)));
  });

  it(
    'is the full term of a PENDING license, the same expiry date if it is fixed, perpetual for a perpetual one, and ' +
      'nothing for an EXPIRED one',
    () => {
      expect(remainingTerm(aLicenseWith(days(14)), NOW)).toEqual(forLength(days(14)));
      for (const fields of [{}, STARTED]) {
        const fixed = aLicenseWith({ ...fields, endIsFixed: true, expiresAt: shifted(1) });
        expect(remainingTerm(fixed, NOW)).toEqual({ ...PERPETUAL, endIsFixed: true });
        const endless = aLicenseWith({ ...fields, expiresAt: NO_END });
        expect(remainingTerm(endless, NOW)).toEqual(forLength(PERPETUAL));
      }
      const ofExpired = () => aLicenseWith(remainingTerm(licenseThatIs('EXPIRED'), NOW));
      expect(outcomeOf(ofExpired)).toBe('TERM_REQUIRED');
    },
  );
});

it('a suspended license whose expiry date is moved into the past expires once, when it is resumed', () => {
  const nextNoticeAfter = (fields: Partial<License>) => {
    const paused = suspended(aLicenseWith({ ...STARTED, ...fields }), null, NOW);
    const moved = changedLicense(paused, { expiresAt: shifted(-DAY) }, null, NOW);
    return resumed(moved, NOW).nextNoticeAt;
  };
  const [past, later] = [shifted(-1), shifted(DAY)];
  expect(nextNoticeAfter({ expiresAt: later, nextNoticeAt: later })).toEqual(shifted(-DAY));
  expect(nextNoticeAfter({ expiresAt: past, nextNoticeAt: past })).toEqual(shifted(-DAY));
  expect(nextNoticeAfter({ expiresAt: past, nextNoticeAt: null })).toBeNull();
});

it('the first activation starts the term of a license, and a later one changes nothing', () => {
  const term = newTerm(NOW, months(6));
  const license = aLicenseWith({ duration: 6, ...newTerm(shifted(-9 * DAY), months(6)) });
  const active = activated(license, NOW);
  expect(active).toStrictEqual({
    ...{ ...license, ...term, status: 'ACTIVE' },
    nextNoticeAt: nextNotice({ ...license, ...term }, NOW),
    ...{ issuedAt: NOW, activatedAt: NOW, updatedAt: NOW },
  });
  expect(activated(active, shifted(1))).toBe(active);
});

it.each([
  [1, 3],
  [969, 99],
  [970, 100],
  [1_000_000, 100],
])(
  'machines of a license with %i seats can release themselves %i times in 30 days',
  (maxMachines, most) => {
    const [over, counted] = [shifted(-30 * DAY).getTime(), shifted(-30 * DAY).getTime() + 1];
    const times = (count: number) => Array<number>(count).fill(counted);
    const after = (count: number) =>
      aLicenseWith({ maxMachines, releasedAt: [over, ...times(count)] });
    const { releasedAt } = selfReleased(after(most - 1), NOW);
    expect(releasedAt).toEqual([...times(most - 1), NOW.getTime()]);
    expect(outcomeOf(() => selfReleased(after(most), NOW))).toBe('RELEASE_LIMIT_REACHED');
  },
);

describe('updates', () => {
  const until = (updatesUntil: Date | null, fields: Partial<License> = STARTED) =>
    aLicenseWith({ ...fields, expiresAt: NO_END, updatesUntil });
  const more = { updatesDays: 10 };

  it('for a number of days start with the first activation', () => {
    const active = activated(aLicenseWith({ updatesDays: 365 }), NOW);
    const nextUpdatesNoticeAt = shifted(335 * DAY);
    const updatesUntil = shifted(365 * DAY);
    expect(active).toMatchObject({ updatesUntil, updatesDays: null, nextUpdatesNoticeAt });
  });

  it.each([
    [shifted(-50 * DAY), 10],
    [shifted(5 * DAY), 15],
  ])('until %j are renewed by 10 days until day %i', (before, end) => {
    const { updatesUntil, expiresAt } = renewed(until(before), more, NOW);
    expect([updatesUntil, expiresAt]).toEqual([shifted(end * DAY), NO_END]);
  });

  it.each([
    ['LICENSE_NOT_ACTIVATED', until(NOW, { endIsFixed: true })],
    ['UPDATES_UNLIMITED', until(null)],
    ['LICENSE_TERM_TOO_LONG', until(shifted(3_651 * DAY))],
    ['LICENSE_ALREADY_REVOKED', until(NOW, { status: 'REVOKED' })],
  ])('are not renewed: %s', (code, license) => {
    expect(outcomeOf(() => renewed(license, more, NOW))).toBe(code);
  });
});

describe('a renewal', () => {
  const active = (start: string, termMonths: number) =>
    aLicenseWith({ ...STARTED, ...newTerm(new Date(start), months(termMonths)) });

  it('extends an ACTIVE license from the start of its term, not from its expiry date or from now', () => {
    const license = active('2025-08-31T08:00:00.000Z', 6);
    expect(renewed(license, { length: months(1) }, NOW)).toStrictEqual({
      ...license,
      termMonths: 7,
      expiresAt: new Date('2026-03-31T08:00:00.000Z'),
      nextNoticeAt: new Date('2026-03-01T08:00:00.000Z'),
      updatedAt: NOW,
    });
  });

  it('starts a new term now for an expired license, whether it expired just now or long ago, and even if it is SUSPENDED', () => {
    for (const expiresAt of [NOW, shifted(-1), shifted(-900 * DAY)]) {
      const expired = aLicenseWith({ ...STARTED, termMonths: 120, expiresAt });
      for (const license of [expired, suspended(expired, null, NOW)]) {
        const { status } = license;
        const after = renewed(license, { length: months(1) }, NOW);
        expect(after).toMatchObject({ status, ...newTerm(NOW, months(1)) });
      }
    }
  });

  it.each([
    [0, days(60), 'ACTIVE'],
    [-1, days(62), 'LICENSE_TERM_TOO_LONG'],
    [-31, days(91), 'ACTIVE'],
    [-1, PERPETUAL, 'ACTIVE'],
  ])(
    'of a term of 3,600 days that started %i days from now by %j: %s, because a term ends at most 3,660 days from now',
    (start, more, outcome) => {
      const license = aLicenseWith({ ...STARTED, ...newTerm(shifted(start * DAY), days(3_600)) });
      expect(outcomeOf(() => renewed(license, { length: more }, NOW))).toBe(outcome);
    },
  );

  it('extends the fixed expiry date of a license that was never activated, and starts a new term once that date has passed', () => {
    const until = (end: Date) => aLicenseWith({ endIsFixed: true, ...termUntil(end) });
    for (const license of [until(shifted(1)), suspended(until(shifted(1)), null, NOW)]) {
      const { status } = license;
      const expiresAt = new Date('2026-02-28T10:15:00.001Z');
      const after = renewed(license, { length: months(1) }, NOW);
      expect(after).toMatchObject({ status, endIsFixed: true, expiresAt });
    }
    const late = renewed(until(NOW), { length: days(1) }, NOW);
    expect(late).toMatchObject({ status: 'PENDING', endIsFixed: true, expiresAt: shifted(DAY) });
  });

  it('makes a license perpetual, which cannot be renewed again', () => {
    const license = { ...active('2026-01-01T00:00:00.000Z', 6), nextNoticeAt: NOW };
    const endless = renewed(license, { length: PERPETUAL }, NOW);
    // The term it was issued with is history.
    const { duration } = license;
    expect(endless).toMatchObject({ duration, expiresAt: NO_END, nextNoticeAt: null });
    expect(outcomeOf(() => renewed(endless, { length: months(1) }, NOW))).toBe(
      'LICENSE_IS_PERPETUAL',
    );
  });
});
