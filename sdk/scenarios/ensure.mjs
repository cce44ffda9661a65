// ensure(): the one call when a program starts.
import { NOW } from '../vectors/certificates.mjs';
import {
  END,
  KEY,
  LEASE,
  NO_STATE_FILE,
  OTHER_KEY,
  OTHER_LICENSE,
  WEEK,
  active,
  at,
  call,
  certificate,
  fails,
  invalid,
  iso,
  json,
  leaseCertificate,
  rejected,
  replies,
  running,
  runningLeased,
  scenario,
  seated,
  stateFile,
  valid,
  validation,
} from './scenario-list.mjs';

const TWO = ['/validate', '/validate/activate'];
const LATER = certificate('of the end of the first week', { iat: END });
const ensure = (key, returns, expected) => call('ensure', key, { returns, ...expected });
const ENDED = [...running(), at(END)];

export function addEnsure() {
  scenario(
    'ensure sends nothing while the license is valid',
    {},
    running(),
    replies(validation('revoked')),
    ensure(KEY, valid({ validUntil: iso(END) }), { requests: [], unchanged: true }),
    ensure(undefined, valid(), { requests: [], unchanged: true }),
  );
  scenario(
    'ensure activates the key if nothing is stored',
    {},
    replies(validation('pending'), seated(WEEK)),
    ensure(`${KEY}\n`, valid(), { requests: TWO }),
    stateFile({}),
  );
  for (const [name, key] of [
    ['without a key', undefined],
    ['with an empty key', ''],
    ['with a blank key', ' \n'],
  ]) {
    scenario(
      `ensure activates nothing ${name}`,
      {},
      replies(active(WEEK)),
      ensure(key, invalid('none'), { requests: [] }),
      NO_STATE_FILE,
    );
    scenario(
      `ensure reports why nothing helped, without throwing, ${name}`,
      {},
      ENDED,
      replies(json(503, {})),
      ensure(key, invalid('ended', 'server_error'), { requests: ['/validate'], unchanged: true }),
    );
  }
  scenario(
    'ensure refreshes, and activates nothing if that helps',
    {},
    ENDED,
    replies(active(LATER)),
    ensure(KEY, valid({ validUntil: iso(END + END - NOW) }), { requests: ['/validate'] }),
  );
  const other = certificate('of another license, a week later', { sub: OTHER_LICENSE, iat: END });
  scenario(
    'ensure activates another key if the stored one is rejected',
    {},
    ENDED,
    replies(validation('revoked'), active(other)),
    ensure(OTHER_KEY, valid(), { requests: ['/validate', '/validate'] }),
    stateFile({ key: OTHER_KEY, certificate: other, rememberedTime: END }),
  );
  scenario(
    'ensure throws what the activation throws',
    {},
    ENDED,
    replies(json(503, {}), validation('invalid')),
    fails('ensure', 'unknown_key', { argument: OTHER_KEY, unchanged: true }),
  );
  scenario(
    'ensure extends a lease by a heartbeat',
    {},
    runningLeased(leaseCertificate('lease')),
    at(NOW + LEASE),
    replies(seated(leaseCertificate('next lease', { iat: NOW + LEASE }))),
    ensure(undefined, valid({ validUntil: iso(NOW + 2 * LEASE) }), {
      requests: ['/validate/heartbeat'],
    }),
  );
  scenario(
    'ensure refreshes if a heartbeat fails, and takes no seat without a key',
    {},
    runningLeased(leaseCertificate('lease')),
    at(NOW + LEASE),
    replies(rejected(403, 'MACHINE_LIMIT_REACHED'), validation('lease_ended')),
    ensure(undefined, invalid('lease_ended', 'rejected'), {
      requests: ['/validate/heartbeat', '/validate'],
    }),
  );
}
