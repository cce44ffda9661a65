// The clock and the remembered time.
import { DAY, NOW } from '../vectors/certificates.mjs';
import {
  WEEK,
  active,
  at,
  call,
  certificate,
  install,
  invalid,
  refresh,
  replies,
  restart,
  running,
  scenario,
  stateFile,
  status,
  valid,
  validation,
} from './scenario-list.mjs';

const MONTH = certificate('month', { exp: NOW + 30 * DAY });

export function addClock() {
  for (const seconds of [-60, 60]) {
    const reference = certificate(`of ${seconds} seconds`, { iat: NOW + seconds });
    scenario(
      `the remembered time is the time of issue, ${seconds} s from the clock`,
      {},
      running(reference),
      stateFile({ certificate: reference, rememberedTime: NOW + seconds }),
    );
  }
  const remembered = (rememberedTime, members) => stateFile({ rememberedTime, ...members });
  scenario(
    'the remembered time is written at most once an hour',
    {},
    running(),
    at(NOW + 3599),
    status(valid(), { unchanged: true }),
    at(NOW + 3600.5),
    status(valid()),
    remembered(NOW + 3600),
  );
  scenario(
    'the clock may be a day behind the remembered time',
    {},
    running(),
    at(NOW + 5 * DAY + 0.9),
    status(valid()),
    remembered(NOW + 5 * DAY),
    at(NOW + 4 * DAY),
    restart(),
    status(valid()),
    at(NOW + 4 * DAY - 1),
    status(invalid('clock', 'clock_set_back')),
  );
  scenario(
    'a clock that jumps beyond the end is not remembered, so that no license is locked out',
    {},
    running(),
    at(NOW + 3650 * DAY),
    status(invalid('expired', 'license_expired'), { unchanged: true }),
    at(NOW + DAY),
    status(valid()),
  );
  const nextDay = certificate('of the next day', { iat: NOW + DAY });
  scenario(
    'a new certificate resets the remembered time',
    {},
    running(),
    at(NOW + 6 * DAY),
    status(valid()),
    at(NOW + DAY),
    status(invalid('clock', 'clock_set_back')),
    replies(active(nextDay)),
    refresh(valid()),
    remembered(NOW + DAY, { certificate: nextDay }),
  );
  scenario(
    'the remembered time is not reset by an old certificate that is installed again',
    {},
    running(),
    at(NOW + 6 * DAY),
    status(valid()),
    at(NOW + DAY),
    install(
      certificate('old month', { iat: NOW - DAY, exp: NOW + 29 * DAY }),
      invalid('clock', 'clock_set_back'),
    ),
  );
  scenario(
    'the remembered time is not written while the license is rejected',
    {},
    running(),
    replies(validation('revoked')),
    refresh(invalid('revoked', 'rejected')),
    at(NOW + 2 * DAY),
    status(invalid('revoked', 'rejected'), { unchanged: true }),
  );
  const ahead = (days) => certificate(`${days} days ahead`, { iat: NOW + days * DAY });
  scenario(
    'a certificate issued while the clock of the service was ahead is replaced by the next one',
    {},
    running(ahead(100)),
    status(invalid('clock', 'issued_in_future')),
    replies(active(ahead(99)), active(WEEK)),
    refresh(invalid('clock', 'issued_in_future'), { unchanged: true }),
    refresh(valid()),
    remembered(NOW),
  );
  scenario(
    'a clock far in the past or the future throws nothing',
    {},
    running(MONTH),
    ...[0, 1].flatMap((time) => [at(time), status({ state: 'clock' })]),
    at(253_402_300_800),
    status({ state: 'expired' }),
    call('status', undefined, { returns: { state: 'expired' } }),
  );
}
