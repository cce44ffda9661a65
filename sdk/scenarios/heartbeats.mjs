// heartbeat(), and refresh() of a license with leases, whose validation is not signed.
import { DAY, FINGERPRINT, FOREIGN, NOW, PRODUCT } from '../vectors/certificates.mjs';
import {
  KEY,
  LEASE,
  WEEK,
  active,
  at,
  certificate,
  fails,
  forget,
  heartbeat,
  install,
  invalid,
  iso,
  json,
  leaseCertificate,
  leased,
  meanwhile,
  page,
  refresh,
  rejected,
  replies,
  running,
  runningLeased,
  scenario,
  seated,
  stateFile,
  status,
  valid,
  validation,
} from './scenario-list.mjs';

const HOUR = leaseCertificate('lease');
const LATER = leaseCertificate('lease of a minute later', { iat: NOW + 60 });

export function addHeartbeats() {
  addSuccess();
  addErrors();
  addRefresh();
  addClock();
}

function addSuccess() {
  const body = {
    key: KEY,
    fingerprint: FINGERPRINT,
    product: PRODUCT,
    certificate: true,
    nonce: '{nonce}',
  };
  scenario(
    'heartbeat stores the new certificate, which ends with the lease',
    {},
    runningLeased(HOUR),
    status(valid({ validUntil: iso(NOW + LEASE) })),
    at(NOW + 60),
    replies(seated(LATER)),
    heartbeat(valid({ validUntil: iso(NOW + 60 + LEASE) }), {
      requests: [{ path: '/validate/heartbeat', body }],
    }),
    stateFile({ certificate: LATER, rememberedTime: NOW + 60 }),
  );
  scenario(
    'heartbeat brings changed entitlements, even if the end of the lease has not moved',
    {},
    runningLeased(leaseCertificate('lease with sso', { license: { entitlements: ['sso'] } })),
    at(NOW + 60),
    replies(
      seated(
        leaseCertificate('lease with export', {
          ...{ iat: NOW + 60, exp: NOW + LEASE, license: { entitlements: ['export'] } },
        }),
      ),
    ),
    heartbeat(valid({ validUntil: iso(NOW + LEASE), entitlements: ['export'] })),
  );
  for (const name of ['lease_ended', 'suspended']) {
    scenario(
      `heartbeat makes a license valid again that was ${name}`,
      {},
      runningLeased(HOUR),
      replies(validation(name), seated(HOUR)),
      refresh(invalid(name, 'rejected')),
      heartbeat(valid()),
    );
  }
  scenario(
    'heartbeat clears the reason of a failed refresh',
    {},
    runningLeased(HOUR),
    replies(page(503), seated(HOUR)),
    refresh(valid({ reason: 'server_error' })),
    heartbeat(valid()),
  );
  scenario(
    'heartbeat reports clock if its certificate has already expired',
    {},
    runningLeased(HOUR),
    at(NOW + LEASE),
    status(invalid('ended', 'certificate_ended')),
    replies(seated(HOUR)),
    heartbeat(invalid('clock', 'already_over')),
  );
  scenario(
    'heartbeat does not bring back a license that was forgotten during its request',
    {},
    runningLeased(HOUR),
    replies(meanwhile(seated(HOUR), forget())),
    heartbeat(invalid('none')),
  );
}

function addErrors() {
  for (const [httpStatus, code] of [
    [403, 'MACHINE_LIMIT_REACHED'],
    [403, 'LICENSE_SUSPENDED'],
    [409, 'LICENSE_HAS_NO_LEASES'],
    [409, 'LICENSE_NOT_ACTIVATED'],
    [409, 'SOME_LATER_CODE'],
  ]) {
    scenario(
      `a rejected heartbeat throws the code of the service: ${code}`,
      {},
      runningLeased(HOUR),
      replies(rejected(httpStatus, code)),
      fails('heartbeat', code, { throws: { message: `Message of ${code}` }, unchanged: true }),
      status(valid()),
    );
  }
  for (const [name, code, reply] of [
    ['LICENSE_REVOKED', 'revoked', rejected(403, 'LICENSE_REVOKED')],
    ['LICENSE_EXPIRED', 'expired', rejected(403, 'LICENSE_EXPIRED')],
    ['another machine', 'other_machine', rejected(403, 'LICENSE_ON_ANOTHER_MACHINE')],
    ['LICENSE_NOT_FOUND', 'unknown_key', rejected(404, 'LICENSE_NOT_FOUND')],
    ['a closed connection', 'no_response', { fault: 'hang_up' }],
    ['503', 'server_error', page(503)],
    ['429', 'rate_limited', page(429)],
    ['a page', 'not_the_service', page(200)],
    ['no success', 'not_the_service', json(200, { success: false })],
    ['a validation', 'not_the_service', active(WEEK)],
    ['a validation that is pending', 'not_the_service', validation('pending')],
    ['no certificate', 'no_certificate', json(200, { success: true })],
    ['a foreign certificate', 'bad_certificate', seated(certificate('foreign', { key: FOREIGN }))],
  ]) {
    scenario(
      `heartbeat throws ${code}, and changes nothing: ${name}`,
      {},
      runningLeased(HOUR),
      replies(reply),
      fails('heartbeat', code, { unchanged: true }),
      status(valid()),
    );
  }
  scenario(
    'heartbeat needs a stored key',
    {},
    replies(seated(HOUR)),
    fails('heartbeat', 'LICENSE_KEY_REQUIRED', { requests: [] }),
    install(WEEK, valid()),
    fails('heartbeat', 'LICENSE_KEY_REQUIRED', { requests: [] }),
  );
}

function addRefresh() {
  scenario(
    'refresh keeps the certificate of a lease, and does not extend it',
    {},
    runningLeased(HOUR),
    replies(leased()),
    refresh(valid({ validUntil: iso(NOW + LEASE) }), { requests: ['/validate'], unchanged: true }),
    at(NOW + LEASE),
    refresh(invalid('ended', 'certificate_ended')),
  );
  scenario(
    'refresh of a lease ends no rejection, because its response is not signed; a heartbeat does',
    {},
    runningLeased(HOUR),
    replies(validation('suspended'), leased(), seated(HOUR)),
    refresh(invalid('suspended', 'rejected')),
    refresh(invalid('suspended', 'rejected'), { unchanged: true }),
    heartbeat(valid()),
  );
  scenario(
    'refresh of a lease clears the reason of a failed one',
    {},
    runningLeased(HOUR),
    replies(page(503), leased()),
    refresh(valid({ reason: 'server_error' })),
    refresh(valid()),
  );
  scenario(
    'refresh leaves a license with a lease that was forgotten during its request',
    {},
    runningLeased(HOUR),
    replies(meanwhile(leased(), forget())),
    refresh(invalid('none')),
  );
}

function addClock() {
  scenario(
    'the clock of a machine with a lease may be set back by at most the length of the lease',
    {},
    runningLeased(HOUR),
    at(NOW - LEASE),
    status(valid()),
    at(NOW - LEASE - 1),
    status(invalid('clock', 'issued_in_future')),
    at(NOW),
    status(valid()),
  );
  scenario(
    'a lease issued while the clock of the service was ahead is replaced by the next one',
    {},
    runningLeased(leaseCertificate('lease that is ahead', { iat: NOW + LEASE + 1 })),
    status(invalid('clock', 'issued_in_future')),
    replies(seated(HOUR)),
    heartbeat(valid()),
  );
  scenario(
    'the clock may be a day behind for a license without leases',
    {},
    running(),
    at(NOW - DAY),
    status(valid()),
    at(NOW - DAY - 1),
    status(invalid('clock', 'issued_in_future')),
  );
}
