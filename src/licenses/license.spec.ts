import { aClient } from '../../test/builders/client.builder.js';
import { aLicense, aMachine } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import type { DomainError } from '../shared/errors/domain-error.js';
import { startOfDay } from '../shared/time/days.js';
import { nextNotice } from './expiry-notices.js';
import {
  activated,
  reissued,
  remainingTerm,
  renewed,
  resumed,
  revoked,
  selfReleased,
  suspended,
} from './license-transitions.js';
import { type License, type LicenseStatus, statusOf, type StoredStatus } from './license.js';
import { extendedTerm, newTerm, NO_END, PERPETUAL, type TermLength } from './term.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const shifted = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const DAY = 86_400_000;

const months = (duration: number): TermLength => ({ duration, days: null });
const days = (count: number): TermLength => ({ duration: null, days: count });

const aLicenseWith = (fields: Partial<License>) => aLicense(aProject(aClient()), fields);

describe('statusOf', () => {
  it.each([
    ['ACTIVE', 'ends in a millisecond', 1, 'ACTIVE'],
    ['ACTIVE', 'ends now', 0, 'EXPIRED'],
    ['PENDING', 'would have ended long ago', -1e12, 'PENDING'],
    ['SUSPENDED', 'ended long ago', -1e12, 'SUSPENDED'],
    ['REVOKED', 'ended long ago', -1e12, 'REVOKED'],
  ] satisfies [StoredStatus, string, number, string][])(
    '%s that %s (%i ms) is %s',
    (status, _end, ms, shown) => {
      expect(statusOf({ status, expiresAt: shifted(ms) }, NOW)).toBe(shown);
    },
  );
});

/** A license that has just reached this status. */
function licenseThatIs(status: LicenseStatus): License {
  const active = { status: 'ACTIVE', activatedAt: shifted(-1) } as const;
  switch (status) {
    case 'ACTIVE':
      return aLicenseWith({ ...active, expiresAt: shifted(1) });
    case 'EXPIRED':
      return aLicenseWith({ ...active, expiresAt: NOW });
    case 'SUSPENDED':
      return aLicenseWith({ ...active, status, expiresAt: shifted(1) });
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
  it.each<[LicenseStatus, string, string, string, string]>([
    ['PENDING', 'LICENSE_NOT_ACTIVATED', 'REVOKED', 'SUSPENDED', 'PENDING'],
    ['ACTIVE', 'ACTIVE', 'REVOKED', 'SUSPENDED', 'ACTIVE'],
    ['EXPIRED', 'ACTIVE', 'REVOKED', 'SUSPENDED', 'EXPIRED'],
    ['SUSPENDED', 'SUSPENDED', 'LICENSE_SUSPENDED', 'SUSPENDED', 'ACTIVE'],
    [
      'REVOKED',
      'LICENSE_ALREADY_REVOKED',
      'LICENSE_ALREADY_REVOKED',
      'LICENSE_ALREADY_REVOKED',
      'LICENSE_ALREADY_REVOKED',
    ],
  ])(
    'that is %s: renewal %s, reissue %s, suspension %s, resumption %s, and revocation always REVOKED',
    (status, renewal, reissue, suspension, resumption) => {
      const license = licenseThatIs(status);
      expect(outcomeOf(() => renewed(license, months(1), NOW))).toBe(renewal);
      expect(outcomeOf(() => revoked(license, null, NOW))).toBe('REVOKED');
      expect(outcomeOf(() => reissued(license, NOW))).toBe(reissue);
      expect(outcomeOf(() => suspended(license, NOW))).toBe(suspension);
      expect(outcomeOf(() => resumed(license, NOW))).toBe(resumption);
    },
  );

  it.each(['PENDING', 'ACTIVE', 'EXPIRED'] as const)(
    'that was %s is the same after its suspension',
    (status) => {
      const license = licenseThatIs(status);
      expect(resumed(suspended(license, NOW), NOW)).toEqual({ ...license, updatedAt: NOW });
    },
  );

  it('that is suspended or not is not changed by a repetition', () => {
    const license = licenseThatIs('SUSPENDED');
    expect(suspended(license, NOW)).toBe(license);
    const active = licenseThatIs('ACTIVE');
    expect(resumed(active, NOW)).toBe(active);
  });
});

describe('a term', () => {
  it('is its start plus all months, clamped, plus all days of 24 hours', () => {
    const term = extendedTerm(newTerm(NOW, days(1)), months(1));
    expect(term.expiresAt).toEqual(new Date('2026-03-01T10:15:00.000Z'));
    expect(extendedTerm(term, days(3)).expiresAt).toEqual(new Date('2026-03-04T10:15:00.000Z'));
  });

  it('has no end where neither months nor days are given', () => {
    const endless = { termStart: NOW, termMonths: 0, termDays: 0, expiresAt: NO_END };
    expect(newTerm(NOW, PERPETUAL)).toEqual(endless);
    expect(extendedTerm(newTerm(NOW, months(6)), PERPETUAL)).toEqual(endless);
  });
});

describe('what is left of a term', () => {
  const active = { status: 'ACTIVE', activatedAt: shifted(-1) } as const;

  it.each([
    [1, 1],
    [DAY, 1],
    [DAY + 1, 2],
    [400 * DAY, 400],
  ])('is for %i ms %i days', (left, count) => {
    const license = aLicenseWith({ ...active, expiresAt: shifted(left) });
    expect(remainingTerm(license, NOW)).toEqual(days(count));
  });

  it('is all of a PENDING license, and no end of one without', () => {
    expect(remainingTerm(aLicenseWith(days(14)), NOW)).toEqual(days(14));
    const endless = aLicenseWith({ ...active, ...PERPETUAL, expiresAt: NO_END });
    expect(remainingTerm(endless, NOW)).toEqual(PERPETUAL);
  });

  it('is nothing of an EXPIRED license', () => {
    const remaining = () => newTerm(NOW, remainingTerm(licenseThatIs('EXPIRED'), NOW));
    expect(outcomeOf(() => aLicenseWith(remaining()))).toBe('TERM_REQUIRED');
  });
});

describe('activated', () => {
  it.each([1, 6, 12])('binds a license, and begins its term of %i months now', (duration) => {
    const license = aLicenseWith({ duration, ...newTerm(shifted(-9 * DAY), months(duration)) });
    expect(activated(license, { machineId: 'machine 1' }, NOW)).toStrictEqual({
      ...license,
      ...newTerm(NOW, months(duration)),
      status: 'ACTIVE',
      machines: [aMachine('machine 1', { activatedAt: NOW, lastSeenAt: startOfDay(NOW) })],
      nextNoticeAt: nextNotice({ ...license, ...newTerm(NOW, months(duration)) }, NOW),
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

  it('is said to be for a replacement after a reissue', () => {
    const license = licenseThatIs('PENDING');
    expect(reissued(license, NOW)).toStrictEqual(revoked(license, 'Reissued', NOW));
  });

  it('gives up its external id for its replacement', () => {
    const license = aLicenseWith({ externalId: 'order-1' });
    expect(reissued(license, NOW).externalId).toBeNull();
  });
});

describe('selfReleased', () => {
  it('keeps the times of 30 days alone, which count towards the limit', () => {
    const [over, counted] = [shifted(-30 * DAY), shifted(-30 * DAY + 1)];
    const releasedAt = [over, counted].map((time) => time.getTime());
    const license = aLicenseWith({ release: 'self', machines: [aMachine('a')], releasedAt });
    const released = selfReleased(license, 'a', NOW).license;
    expect(released.releasedAt).toEqual([counted.getTime(), NOW.getTime()]);
  });
});

describe('renewed', () => {
  const active = (start: string, termMonths: number) =>
    aLicenseWith({ status: 'ACTIVE', ...newTerm(new Date(start), months(termMonths)) });

  it('extends an ACTIVE license from the start of its term, not from its end and not from now', () => {
    const license = active('2025-08-31T08:00:00.000Z', 6);
    expect(renewed(license, months(1), NOW)).toStrictEqual({
      ...license,
      termMonths: 7,
      expiresAt: new Date('2026-03-31T08:00:00.000Z'),
      nextNoticeAt: new Date('2026-03-01T08:00:00.000Z'),
      updatedAt: NOW,
    });
  });

  it('starts a new term now for a license that has expired, whether just now or long ago', () => {
    for (const expiresAt of [NOW, shifted(-1), shifted(-900 * DAY)]) {
      const expired = aLicenseWith({ status: 'ACTIVE', termMonths: 120, expiresAt });
      expect(renewed(expired, months(1), NOW)).toMatchObject(newTerm(NOW, months(1)));
    }
  });

  it.each([
    [108, months(12), 'ACTIVE'],
    [109, months(12), 'LICENSE_TERM_TOO_LONG'],
    [120, months(1), 'LICENSE_TERM_TOO_LONG'],
    [120, days(8), 'ACTIVE'],
    [120, days(9), 'LICENSE_TERM_TOO_LONG'],
    [120, PERPETUAL, 'ACTIVE'],
  ])('of %i months by %j: %s', (termMonths, more, outcome) => {
    const license = active('2026-01-01T00:00:00.000Z', termMonths);
    expect(outcomeOf(() => renewed(license, more, NOW))).toBe(outcome);
  });

  it('makes a license perpetual, which is not renewed any more', () => {
    const endless = renewed(active('2026-01-01T00:00:00.000Z', 6), PERPETUAL, NOW);
    expect(endless).toMatchObject({ ...PERPETUAL, expiresAt: NO_END });
    expect(outcomeOf(() => renewed(endless, months(1), NOW))).toBe('LICENSE_IS_PERPETUAL');
  });

  it('starts a new term for a SUSPENDED license that has expired, and leaves it SUSPENDED', () => {
    const expired = suspended(licenseThatIs('EXPIRED'), NOW);
    expect(renewed(expired, days(14), NOW)).toMatchObject({
      ...{ status: 'SUSPENDED', ...newTerm(NOW, days(14)) },
    });
  });

  it('one month at a time ends where renewing at once does, from every day of four years', () => {
    const first = Date.parse('2023-01-01T23:59:59.999Z');
    for (let day = 0; day < 4 * 365 + 1; day++) {
      const start = new Date(first + day * DAY);
      let license = aLicenseWith({ status: 'ACTIVE', ...newTerm(start, months(1)) });
      for (let count = 2; count <= 24; count++) {
        license = renewed(license, months(1), start);
        if (+license.expiresAt === +newTerm(start, months(count)).expiresAt) continue;
        throw new Error(`${start.toISOString()} and ${count} months`);
      }
    }
  });
});
