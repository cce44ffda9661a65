// The terms meant for people, and rule 7: which builds the license covers.
import { CLAIMS, DAY, LICENSE_END, NOW, claims, license } from './certificates.mjs';
import { acceptWith, reject } from './vector-list.mjs';

const NEVER = '9999-12-31T23:59:59.999Z';
const LICENSEE = 'Müller & Söhne “Web” 🏪';
/** The license covers builds released up to the day before yesterday. */
const UNTIL = '2027-01-13T00:00:00.000Z';
const updates = (updatesUntil, releasedAt) => ({ ...license({ updatesUntil }), releasedAt });

export function addUpdatesAndFacts() {
  addFacts();
  addUpdates();
}

function addFacts() {
  const none = { perpetual: false, updatesUntil: null, licensee: null, plan: null };
  const facts = { licensee: LICENSEE, plan: 'Pro', updatesUntil: UNTIL };
  acceptWith(
    { ...none, expiresAt: CLAIMS.license.expiresAt },
    {
      'a license without a licensee, as in older certificates': {},
      'a license whose facts are null': license({ licensee: null, plan: null, updatesUntil: null }),
    },
  );
  acceptWith(
    { ...facts, perpetual: false, expiresAt: CLAIMS.license.expiresAt },
    { 'the licensee, the plan and the end of the updates': license(facts) },
  );
  acceptWith(
    { ...none, perpetual: true, expiresAt: null },
    {
      'the expiry of a perpetual license is not a date': license({ expiresAt: NEVER }),
      'a license is perpetual by its end alone': license({ expiresAt: NEVER, perpetual: false }),
    },
  );
  acceptWith(
    { ...none, expiresAt: CLAIMS.license.expiresAt },
    { 'a license with an end is not perpetual, whatever it says': license({ perpetual: true }) },
  );
  reject(
    'ended',
    'certificate_ended',
    {
      'the terms of a license whose certificate has expired': {
        ...license(facts),
        now: CLAIMS.exp,
      },
    },
    { ...facts, validUntil: CLAIMS.exp },
  );
  const expired = license({ ...facts, expiresAt: '2027-01-15T08:00:00.000Z' });
  reject(
    'expired',
    'license_expired',
    {
      'the expiry of a license that has expired, although its certificate is still valid': expired,
    },
    { ...facts, expiresAt: '2027-01-15T08:00:00.000Z', validUntil: NOW },
  );
  reject(
    'expired',
    'license_expired',
    {
      'the expiry of a license that has expired, although its certificate expired earlier': {
        ...claims({ exp: LICENSE_END - DAY }),
        now: LICENSE_END,
      },
    },
    { validUntil: LICENSE_END },
  );
  reject(
    'suspended',
    'rejected',
    { 'the terms of a rejected license': { ...license(facts), rejection: 'suspended' } },
    { ...facts, validUntil: null },
  );
  reject(
    'other_machine',
    'machine',
    {
      'no terms of a license for another machine': {
        ...license(facts),
        fingerprint: 'the fingerprint of another machine',
      },
    },
    { ...none, expiresAt: null },
  );
  reject('damaged', 'claims', {
    'a licensee that is a number': license({ licensee: 1 }),
    'a licensee that is a list': license({ licensee: [LICENSEE] }),
    'a plan that is an object': license({ plan: { name: 'Pro' } }),
    'updatesUntil as a day': license({ updatesUntil: '2027-01-13' }),
    'updatesUntil as a number': license({ updatesUntil: NOW }),
    'updatesUntil as a boolean': license({ updatesUntil: false }),
    'an empty updatesUntil': license({ updatesUntil: '' }),
    'updatesUntil of a day that does not exist': license({
      updatesUntil: '2027-02-29T00:00:00.000Z',
    }),
  });
}

function addUpdates() {
  acceptWith(
    { updatesUntil: UNTIL },
    {
      'a build of the last moment of the updates': updates(UNTIL, '2027-01-13'),
      'a build of the day before, although updates have ended': updates(UNTIL, '2027-01-12'),
      'a build of long ago': updates(UNTIL, '0001-01-01'),
      'a build without a day': license({ updatesUntil: UNTIL }),
    },
  );
  acceptWith(
    { updatesUntil: null },
    {
      'a build of the far future, with unlimited updates': updates(undefined, '9999-12-31'),
      'a build of tomorrow, with updatesUntil null': updates(null, '2027-01-16'),
    },
  );
  acceptWith(
    { updatesUntil: '2027-01-13T23:59:59.999Z' },
    { 'a build of the last day': updates('2027-01-13T23:59:59.999Z', '2027-01-13') },
  );
  reject(
    'update_not_covered',
    'updates_ended',
    {
      'a build of the day after the updates': updates(UNTIL, '2027-01-14'),
      'a build of the future': updates(UNTIL, '2028-01-01'),
    },
    { updatesUntil: UNTIL, expiresAt: CLAIMS.license.expiresAt, validUntil: null },
  );
  reject('update_not_covered', 'updates_ended', {
    'a build a millisecond after the updates': updates('2027-01-13T23:59:59.999Z', '2027-01-14'),
    'a build of a perpetual license': {
      ...license({ expiresAt: NEVER, updatesUntil: UNTIL }),
      releasedAt: '2027-01-14',
    },
  });
  const late = updates(UNTIL, '2027-01-14');
  reject('revoked', 'rejected', {
    'the rejection before the updates': { ...late, rejection: 'revoked' },
  });
  reject('clock', 'issued_in_future', {
    'the clock before the updates': { ...late, now: CLAIMS.iat - DAY - 1 },
  });
  reject('ended', 'certificate_ended', {
    'the end of the certificate before the updates': { ...late, now: CLAIMS.exp },
  });
  reject('expired', 'license_expired', {
    'the end of the license before the updates': { ...late, now: LICENSE_END },
  });
}
