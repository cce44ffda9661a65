// Rules 4 to 6: the stored rejection, the clock, and expiry.
import { CLAIMS, DAY, LICENSE_END, NOW, claims, license, repeated } from './certificates.mjs';
import { accept, reject } from './vector-list.mjs';

export function addCircumstances() {
  for (const rejection of ['revoked', 'expired', 'other_machine']) {
    reject(rejection, 'rejected', { [`a stored rejection: ${rejection}`]: { rejection } });
  }
  reject('revoked', 'rejected', {
    'the stored rejection before the clock': { rejection: 'revoked', now: CLAIMS.iat - 10 * DAY },
  });

  accept('issued exactly a day in the future', { now: CLAIMS.iat - DAY });
  accept('issued a second less than a day in the future', { now: CLAIMS.iat - DAY + 1 });
  accept('a clock exactly a day behind the remembered time', { rememberedTime: NOW + DAY });
  accept('a clock a second less than a day behind', { rememberedTime: NOW + DAY - 1 });
  reject('clock', 'issued_in_future', {
    'issued a day and a second in the future': { now: CLAIMS.iat - DAY - 1 },
    'issued in the year 285,428,751': claims({ iat: Number.MAX_SAFE_INTEGER }),
    'issued in the future and already expired': {
      ...claims({ iat: NOW + 2 * DAY, exp: NOW - DAY }),
    },
  });
  reject('clock', 'clock_set_back', {
    'a clock a day and a second behind the remembered time': { rememberedTime: NOW + DAY + 1 },
    'the clock before the end of the certificate': {
      now: CLAIMS.exp,
      rememberedTime: CLAIMS.exp + DAY + 1,
    },
  });

  accept('a second before the end of the certificate', { now: CLAIMS.exp - 1 });
  reject('ended', 'certificate_ended', {
    'at the end of the certificate': { now: CLAIMS.exp },
    'a second after the end of the certificate': { now: CLAIMS.exp + 1 },
    'exp of zero': claims({ exp: 0 }),
    'a repeated exp whose last value has passed': repeated('"exp":0'),
  });
  const longLived = claims({ exp: LICENSE_END + DAY });
  accept('a second before the end of the license', { ...longLived, now: LICENSE_END - 1 });
  reject('expired', 'license_expired', {
    'at the end of the license': { ...longLived, now: LICENSE_END },
    'a second after the end of the license': { ...longLived, now: LICENSE_END + 1 },
    'the end of the license before that of the certificate': {
      ...claims({ exp: LICENSE_END }),
      now: LICENSE_END,
    },
  });
  const halfASecond = license({ expiresAt: '2027-01-15T08:00:00.500Z' });
  accept('half a second before the end of the license', halfASecond);
  reject('expired', 'license_expired', {
    'half a second after the end of the license': { ...halfASecond, now: NOW + 1 },
  });
}
