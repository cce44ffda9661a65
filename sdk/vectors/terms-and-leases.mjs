// Members of `license` that later versions of the service added: entitlements, other terms, leases.
import { CLAIMS, claims, DAY, license, NOW } from './certificates.mjs';
import { accept, acceptWith, reject } from './vector-list.mjs';

const ENTITLEMENTS = ['export.pdf', 'sso'];
const FOREVER = '9999-12-31T23:59:59.999Z';
const HOUR = 3600;

export function addTermsAndLeases() {
  addEntitlements();
  addTerms();
  addLeases();
  addRejections();
}

function addEntitlements() {
  const entitled = (entitlements) => license({ entitlements });
  acceptWith({ entitlements: ENTITLEMENTS }, { 'a list of entitlements': entitled(ENTITLEMENTS) });
  acceptWith(
    { entitlements: [] },
    {
      'no entitlements, as in older certificates': {},
      'an empty list of entitlements': entitled([]),
      'entitlements null': entitled(null),
    },
  );
  reject('damaged', 'claims', {
    'entitlements as a text': entitled('sso'),
    'entitlements that are not texts': entitled(['sso', 1]),
    'entitlements as an object': entitled({ sso: true }),
  });
}

function addTerms() {
  accept('a term in days', license({ duration: null, days: 14, perpetual: false }));
  const perpetual = { expiresAt: FOREVER, duration: null, days: null, perpetual: true };
  accept('a perpetual license', license(perpetual));
  accept(
    'a perpetual license, with a certificate for all time',
    claims({
      iat: 0,
      exp: Number.MAX_SAFE_INTEGER,
      license: { ...CLAIMS.license, ...perpetual },
    }),
  );
  accept(
    'a license with neither a term nor its activation',
    license({ duration: undefined, activatedAt: undefined }),
  );
  reject('ended', 'certificate_ended', {
    'the end of the certificate of a perpetual license': {
      ...license(perpetual),
      now: CLAIMS.exp,
    },
  });
}

function addLeases() {
  const leased = (leaseSeconds) => license({ leaseSeconds });
  accept('a lease', leased(HOUR));
  accept('leaseSeconds null', leased(null));
  accept('a lease, issued as long in the future', { ...leased(HOUR), now: CLAIMS.iat - HOUR });
  accept('a lease, the clock set back by as much', {
    ...leased(HOUR),
    rememberedTime: NOW + HOUR,
  });
  accept('a lease of a day, the clock set back by a day', {
    ...leased(DAY),
    rememberedTime: NOW + DAY,
  });
  reject('clock', 'issued_in_future', {
    'a lease, issued a second longer in the future': {
      ...leased(HOUR),
      now: CLAIMS.iat - HOUR - 1,
    },
  });
  reject('clock', 'clock_set_back', {
    'a lease, the clock set back by a second more': {
      ...leased(HOUR),
      rememberedTime: NOW + HOUR + 1,
    },
    'a lease of two days, the clock set back by a day and a second': {
      ...leased(2 * DAY),
      rememberedTime: NOW + DAY + 1,
    },
  });
  reject('damaged', 'claims', {
    'leaseSeconds as text': leased('3600'),
    'leaseSeconds as boolean': leased(true),
    'leaseSeconds with a fraction': leased(0.5),
    'leaseSeconds below zero': leased(-1),
    'leaseSeconds of 2^53': leased(2 ** 53),
  });
}

function addRejections() {
  for (const rejection of ['suspended', 'lease_ended']) {
    reject(rejection, 'rejected', {
      [`a stored rejection: ${rejection}`]: { rejection },
      [`a stored rejection before the end of the certificate: ${rejection}`]: {
        rejection,
        now: CLAIMS.exp,
      },
    });
  }
}
