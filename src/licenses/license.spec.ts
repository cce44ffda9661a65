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
import {
  type License,
  type LicenseStatus,
  statusOf,
  type StoredStatus,
  termFrom,
} from './license.js';
import { isOfProduct, LABEL_PATTERN, PRODUCT_PATTERN, withProductOf } from './product.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const shifted = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const DAY = 86_400_000;

const aLicenseWith = (fields: Partial<License>) => aLicense(aProject(aClient()), fields);

describe('statusOf', () => {
  it.each([
    ['ACTIVE', 'ends in a millisecond', 1, 'ACTIVE'],
    ['ACTIVE', 'ends now', 0, 'EXPIRED'],
    ['PENDING', 'would have ended long ago', -1e12, 'PENDING'],
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

  it.each([
    [MAX_TERM - 12, 12, 'ACTIVE'],
    [MAX_TERM - 11, 12, 'LICENSE_TERM_TOO_LONG'],
    [MAX_TERM - 1, 1, 'ACTIVE'],
    [MAX_TERM, 1, 'LICENSE_TERM_TOO_LONG'],
  ])('of %i months by %i more: %s', (termMonths, more, outcome) => {
    const license = active('2026-01-01T00:00:00.000Z', termMonths);
    expect(outcomeOf(() => renewed(license, more, NOW))).toBe(outcome);
  });

  it('one month at a time ends where renewing at once does, from every day of four years', () => {
    const first = Date.parse('2023-01-01T23:59:59.999Z');
    for (let day = 0; day < 4 * 365 + 1; day++) {
      const start = new Date(first + day * DAY);
      let license = aLicenseWith({ status: 'ACTIVE', ...termFrom(start, 1) });
      for (let months = 2; months <= 24; months++) {
        license = renewed(license, 1, start);
        if (+license.expiresAt === +termFrom(start, months).expiresAt) continue;
        throw new Error(`${start.toISOString()} and ${months} months`);
      }
    }
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

const PROJECT = '665f1c2ab7e4a90012345678';

const LABELS = ['a', 'com.example.Web-Shop', 'a--__..b', 'x'.repeat(64), `${PROJECT}0`];

const NO_PRODUCTS = [
  '',
  '.shop',
  '-shop',
  'shop.',
  'web shop',
  'shop\n',
  'web/shop',
  // KELVIN SIGN and LONG S: equal to "k" and "s" without regard to case.
  '\u212aiosk',
  '\u017fhop',
  'x'.repeat(65),
];

describe("a product's label", () => {
  it.each(LABELS)('may be %j', (label) => {
    expect(LABEL_PATTERN.test(label)).toBe(true);
    expect(PRODUCT_PATTERN.test(label)).toBe(true);
  });

  it.each(NO_PRODUCTS)('is not %j', (text) => {
    expect(LABEL_PATTERN.test(text)).toBe(false);
    expect(PRODUCT_PATTERN.test(text)).toBe(false);
  });

  it.each([PROJECT, PROJECT.toUpperCase()])(
    'is not %j, which looks like an id, but shipped software may name it',
    (id) => {
      expect(LABEL_PATTERN.test(id)).toBe(false);
      expect(PRODUCT_PATTERN.test(id)).toBe(true);
    },
  );
});

it("a license is of its project's label, and of its project's id with or without one, byte for byte", () => {
  const labelled = { product: 'com.example.Web-Shop', project: PROJECT };
  const unlabelled = { product: null, project: PROJECT };
  expect(isOfProduct(labelled, 'com.example.Web-Shop')).toBe(true);
  for (const license of [labelled, unlabelled]) {
    expect(isOfProduct(license, PROJECT)).toBe(true);
    for (const other of ['com.example.web-shop', PROJECT.toUpperCase(), '']) {
      expect(isOfProduct(license, other)).toBe(false);
    }
  }
});

it('a license gets the product of its project, and is not copied where it has that', () => {
  const license = aLicenseWith({ product: 'shop' });
  expect(withProductOf(license, { product: null })).toStrictEqual({ ...license, product: null });
  expect(withProductOf(license, { product: 'shop' })).toBe(license);
});
