// Several machines, release(), and floating licenses: heartbeat().
import { DAY, FINGERPRINT, NOW, PRODUCT } from '../vectors/certificates.mjs';
import {
  KEY,
  NO_STATE_FILE,
  OTHER_KEY,
  OTHER_LICENSE,
  WEEK,
  activate,
  active,
  at,
  call,
  certificate,
  fails,
  files,
  install,
  invalid,
  json,
  leaseCertificate,
  leased,
  meanwhile,
  page,
  refresh,
  rejected,
  replies,
  running,
  scenario,
  seated,
  stateFile,
  status,
  valid,
  validation,
} from './scenario-list.mjs';

const TWO = ['/validate', '/validate/activate'];
const HOUR = leaseCertificate('lease');
const mismatch = (machines) => validation('machine_mismatch', { machines });
const FREE = mismatch({ used: 2, max: 3 });
const throws = (code, expected) => fails('activate', code, { argument: KEY, ...expected });

export function addSeats() {
  addMachines();
  addLeases();
  addRelease();
}

function addMachines() {
  scenario(
    'activate takes a free seat on a license with several',
    {},
    replies(FREE, seated(WEEK)),
    activate(valid(), { requests: TWO }),
  );
  scenario(
    'activate throws MACHINE_LIMIT_REACHED without an activation if all seats are taken',
    {},
    replies(mismatch({ used: 3, max: 3 }), seated(WEEK)),
    throws('MACHINE_LIMIT_REACHED', { requests: ['/validate'] }),
  );
  for (const machines of [
    ...[null, 3, [], {}, { used: 0 }, { max: 3 }, { used: '0', max: '3' }],
    ...[
      { used: -1, max: 3 },
      { used: 0.5, max: 3 },
      { used: false, max: true },
    ],
  ]) {
    scenario(
      `activate throws other_machine without an activation if machines is ${JSON.stringify(machines)}`,
      {},
      replies(mismatch(machines), seated(WEEK)),
      throws('other_machine', { requests: ['/validate'] }),
    );
  }
  for (const code of ['MACHINE_LIMIT_REACHED', 'TRIAL_USED', 'LICENSE_SUSPENDED']) {
    scenario(
      `activate throws the code and message of the service if it rejects the activation: ${code}`,
      {},
      replies(FREE, rejected(403, code)),
      throws(code, { throws: { message: `Message of ${code}` } }),
      status(invalid('none')),
    );
  }
  for (const [name, state, reply] of [
    ['machine_mismatch', 'other_machine', FREE],
    ['lease_ended', 'lease_ended', validation('lease_ended')],
  ]) {
    scenario(
      `refresh takes no seat, which would undo a release by the vendor: ${name}`,
      {},
      running(),
      replies(reply, seated(WEEK)),
      refresh(invalid(state, 'rejected'), { requests: ['/validate'] }),
    );
  }
}

function addLeases() {
  scenario(
    'activate takes a seat again once the lease has expired',
    {},
    replies(validation('lease_ended'), seated(HOUR)),
    activate(valid(), { requests: TWO }),
  );
  const machineName = 'Anna’s laptop 💻';
  const body = {
    key: KEY,
    fingerprint: FINGERPRINT,
    product: PRODUCT,
    certificate: true,
    nonce: '{nonce}',
  };
  scenario(
    'activate gets the certificate of a lease from a heartbeat, because a validation signs none',
    { program: { machineName } },
    replies(leased(), seated(HOUR)),
    activate(valid(), {
      requests: [
        { path: '/validate', body },
        { path: '/validate/heartbeat', body: { ...body, machineName } },
      ],
    }),
    stateFile({ certificate: HOUR }),
  );
  scenario(
    'activate uses the certificate of a validation that has one, even for a lease',
    {},
    replies(json(200, { status: 'active', leaseEndsAt: 'tomorrow', certificate: WEEK })),
    activate(valid(), { requests: ['/validate'] }),
  );
  for (const leaseEndsAt of [null, 1, true, {}]) {
    scenario(
      `activate throws no_certificate if leaseEndsAt is ${JSON.stringify(leaseEndsAt)}`,
      {},
      replies(json(200, { status: 'active', leaseEndsAt })),
      throws('no_certificate', { requests: ['/validate'] }),
    );
  }
}

function addRelease() {
  const RELEASED = json(200, { success: true, message: 'License released from this machine' });
  const body = { key: KEY, fingerprint: FINGERPRINT, product: PRODUCT };
  const release = (returns, expected) => call('release', undefined, { returns, ...expected });
  scenario(
    'release frees the seat of this machine, and deletes the key, certificate and state',
    { program: { machineName: 'is not sent' } },
    running(),
    replies(RELEASED, active(WEEK)),
    release(invalid('none'), { requests: [{ path: '/validate/release', body }] }),
    files(),
    activate(valid()),
  );
  scenario(
    'release clears the reason of a failed refresh',
    {},
    running(),
    at(NOW + 8 * DAY),
    replies(active(WEEK), json(503, {}), RELEASED),
    refresh(invalid('clock', 'already_over')),
    refresh(invalid('clock', 'server_error')),
    release(invalid('none')),
    install(WEEK, invalid('ended', 'certificate_ended')),
  );
  for (const code of [
    ...['RELEASE_NOT_ALLOWED', 'RELEASE_LIMIT_REACHED', 'CERTIFICATE_OUTSTANDING'],
    'SOME_LATER_CODE',
  ]) {
    scenario(
      `a rejected release throws the code of the service, and keeps everything: ${code}`,
      {},
      running(),
      replies(rejected(403, code)),
      fails('release', code, { throws: { message: `Message of ${code}` }, unchanged: true }),
      status(valid()),
    );
  }
  for (const [name, code, reply] of [
    ['LICENSE_REVOKED', 'revoked', rejected(403, 'LICENSE_REVOKED')],
    ['LICENSE_NOT_FOUND', 'unknown_key', rejected(404, 'LICENSE_NOT_FOUND')],
    ['404 without a code', 'request_rejected', json(404, {})],
    ['404 with a page', 'not_the_service', page(404)],
    ['a closed connection', 'no_response', { fault: 'hang_up' }],
    ['503', 'server_error', page(503)],
    ['429', 'rate_limited', page(429)],
    ['a page', 'not_the_service', page(200)],
    ['success as a text', 'not_the_service', json(200, { success: 'true' })],
    ['a validation', 'not_the_service', active(WEEK)],
  ]) {
    scenario(
      `release throws ${code}, and keeps everything: ${name}`,
      {},
      running(),
      replies(reply),
      fails('release', code, { unchanged: true }),
      status(valid()),
    );
  }
  scenario(
    'release deletes everything if the machine no longer holds a seat, such as after a lost response',
    {},
    running(),
    replies(rejected(404, 'MACHINE_NOT_FOUND')),
    fails('release', 'MACHINE_NOT_FOUND', { throws: { message: 'Message of MACHINE_NOT_FOUND' } }),
    status(invalid('none')),
    NO_STATE_FILE,
  );
  scenario(
    'release needs a stored key',
    {},
    replies(RELEASED),
    fails('release', 'LICENSE_KEY_REQUIRED', { requests: [] }),
    install(WEEK, valid()),
    fails('release', 'LICENSE_KEY_REQUIRED', { requests: [], unchanged: true }),
  );
  const other = certificate('of another license, for a week', { sub: OTHER_LICENSE });
  scenario(
    'release leaves another key that was activated during its request',
    {},
    running(),
    replies(
      meanwhile(
        RELEASED,
        replies(active(other)),
        call('activate', OTHER_KEY, { returns: valid() }),
      ),
    ),
    release(valid()),
    stateFile({ key: OTHER_KEY, certificate: other }),
  );
}
