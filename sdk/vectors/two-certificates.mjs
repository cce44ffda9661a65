// Certificates that arrive one after the other: `certificate` is the last one, and `earlier` has the ones before it.
import { CLAIMS, DAY, issue, machine, NOW } from './certificates.mjs';
import { acceptWith, reject } from './vector-list.mjs';

const HOUR = 3600;
const OTHER_LICENSE = '665f1c2ab7e4a90099999999';

const OLD = { iat: NOW - 2 * HOUR, exp: NOW + 5 * DAY, entitlements: ['old'] };
const NEW = { iat: NOW - HOUR, exp: NOW + 3 * DAY, entitlements: ['new'] };

export function addTwoCertificates() {
  addLaterIssue();
  addInstalled();
  addEnds();
  addWrongClockOfTheService();
}

function addLaterIssue() {
  const newer = { validUntil: NEW.exp, entitlements: ['new'] };
  acceptWith(newer, {
    'the certificate issued later counts, even if it expires earlier': received(OLD, NEW),
    'the certificate issued later counts, even if it arrived first': received(NEW, OLD),
  });
  const atOnce = { ...NEW, exp: NEW.exp + 1, entitlements: ['longer'] };
  acceptWith(
    { validUntil: atOnce.exp, entitlements: ['longer'] },
    {
      'of two issued in the same second, the one that expires later counts': received(NEW, atOnce),
      'of two issued in the same second, the one that expires later counts, even if it arrived first':
        received(atOnce, NEW),
    },
  );
}

function addInstalled() {
  const extended = { validUntil: OLD.exp, entitlements: ['new'] };
  acceptWith(extended, {
    'an installed certificate keeps its end alone': received(installed(OLD), NEW),
    'an installed certificate that arrived later only keeps its expiry': received(
      NEW,
      installed(OLD),
    ),
    'an installed certificate keeps its expiry next to several later ones': received(
      installed(OLD),
      { ...NEW, iat: NEW.iat - 1, entitlements: ['between'] },
      NEW,
    ),
    'of several installed certificates, the last expiry counts': received(
      installed({ ...OLD, exp: OLD.exp - 1 }),
      installed(OLD),
      installed({ ...OLD, exp: OLD.exp - 2 }),
      NEW,
    ),
    'an installed certificate after one of another license': received(
      installed({ ...OLD, exp: OLD.exp + DAY, sub: OTHER_LICENSE }),
      installed(OLD),
      NEW,
    ),
    'of two installed certificates, each counts for its part': received(
      installed(OLD),
      installed(NEW),
    ),
    'an installed certificate keeps its end next to a lease': received(installed(OLD), {
      ...NEW,
      leaseSeconds: HOUR,
    }),
  });
  const replaced = { validUntil: NEW.exp, entitlements: ['new'] };
  acceptWith(replaced, {
    'an installed certificate that ends earlier': received(
      installed({ ...OLD, exp: NEW.exp - 1 }),
      NEW,
    ),
    'an installed certificate of another license': received(
      installed({ ...OLD, sub: OTHER_LICENSE }),
      NEW,
    ),
  });
}

function addEnds() {
  const both = received(installed(OLD), NEW);
  acceptWith(
    { validUntil: OLD.exp, entitlements: ['new'] },
    {
      'at the end of the later certificate, before that of the installed one': {
        ...both,
        now: NEW.exp,
      },
      'a second before the end of the installed certificate': { ...both, now: OLD.exp - 1 },
    },
  );
  reject('ended', 'certificate_ended', {
    'at the end of the installed certificate': { ...both, now: OLD.exp },
  });
  const licenseEnd = NOW + 4 * DAY;
  const shortened = received(installed(OLD), {
    ...NEW,
    expiresAt: new Date(licenseEnd * 1000).toISOString(),
  });
  acceptWith(
    { validUntil: licenseEnd, entitlements: ['new'] },
    { 'the end of the license is that of the later certificate': shortened },
  );
  reject('expired', 'license_expired', {
    'the end of the license before that of the installed certificate': {
      ...shortened,
      now: licenseEnd,
    },
  });
}

function addWrongClockOfTheService() {
  const ahead = { iat: NOW + 2 * DAY, exp: NOW + 9 * DAY };
  const leaseAhead = { iat: NOW + HOUR + 1, exp: NOW + 2 * HOUR, leaseSeconds: HOUR };
  acceptWith(
    { validUntil: NEW.exp, entitlements: ['new'] },
    {
      'a certificate issued two days in the future is replaced': received(ahead, NEW),
      'an installed one issued two days in the future keeps nothing': received(
        installed(ahead),
        NEW,
      ),
      'a lease issued in the future by more than its length is replaced': received(leaseAhead, {
        ...NEW,
        leaseSeconds: HOUR,
      }),
    },
  );
}

function installed(certificate) {
  return { ...certificate, isInstalled: true };
}

/** The members of a vector with these certificates in the order of arrival. */
function received(...certificates) {
  const arrived = certificates.map(
    ({ isInstalled = false, iat, exp, sub = CLAIMS.sub, ...terms }) => ({
      certificate: issue({
        payload: {
          ...{ ...CLAIMS, iat, exp, sub, machine: machine({ sub }) },
          license: { ...CLAIMS.license, ...terms },
        },
      }),
      isInstalled,
    }),
  );
  return { ...arrived.pop(), earlier: arrived };
}
