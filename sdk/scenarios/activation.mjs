// activate(): what it sends, what it stores, and what it throws.
import { DAY, FINGERPRINT, FOREIGN, NOW, PRODUCT } from '../vectors/certificates.mjs';
import {
  END,
  KEY,
  NO_STATE_FILE,
  WEEK,
  activate,
  activated,
  active,
  at,
  call,
  certificate,
  fails,
  files,
  forget,
  install,
  invalid,
  iso,
  json,
  page,
  refresh,
  rejected,
  replies,
  restart,
  scenario,
  seated,
  stateFile,
  status,
  valid,
  validation,
} from './scenario-list.mjs';

const BODY = {
  key: KEY,
  fingerprint: FINGERPRINT,
  product: PRODUCT,
  certificate: true,
  nonce: '{nonce}',
};
const TWO = ['/validate', '/validate/activate'];
const throws = (code, expected) => fails('activate', code, { argument: KEY, ...expected });

export function addActivation() {
  addSuccess();
  addRejections();
  addClock();
}

function addSuccess() {
  const whole = {
    state: 'valid',
    validUntil: iso(END),
    services: ['Hosting', 'Maintenance'],
    entitlements: [],
    reason: null,
  };
  scenario(
    'activate activates a pending license, which is then valid',
    {},
    replies(validation('pending'), seated(WEEK)),
    call('activate', `  ${KEY}\n`, {
      returns: whole,
      requests: [
        { path: '/validate', body: BODY },
        { path: '/validate/activate', body: BODY },
      ],
    }),
    status(whole, { requests: [] }),
  );
  scenario(
    'activate only validates an active license, below the path of the service',
    { program: { service: '{service}/licenses/' } },
    replies(active(WEEK)),
    activate(valid(), { requests: ['/licenses/validate'] }),
  );
  scenario(
    'activate stores key and certificate in one file, whose name is a hash of issuer and product',
    {},
    replies(active(WEEK)),
    activate(valid()),
    stateFile({}),
    files('license-de02ed4f0ab649d3fa6045fa18dc0aac.json'),
  );
  const laptop = 'Anna’s laptop 💻';
  scenario(
    'the name of the machine is sent with an activation, but not with a validation',
    { program: { machineName: laptop } },
    replies(validation('pending'), seated(WEEK)),
    activate(valid(), {
      requests: [
        { path: '/validate', body: BODY },
        { path: '/validate/activate', body: { ...BODY, machineName: laptop } },
      ],
    }),
  );
}

function addRejections() {
  for (const key of ['', '  ', ' \n']) {
    scenario(
      `activate rejects the key ${JSON.stringify(key)} without a request`,
      {},
      replies(active(WEEK)),
      fails('activate', 'LICENSE_KEY_REQUIRED', { argument: key, requests: [] }),
    );
  }
  const pending = validation('pending');
  for (const [name, code, ...list] of [
    ['an unknown key', 'unknown_key', validation('invalid')],
    ['revoked', 'revoked', validation('revoked')],
    ['expired', 'expired', validation('expired')],
    ['machine_mismatch', 'other_machine', validation('machine_mismatch')],
    ['suspended', 'suspended', validation('suspended')],
    [
      'an unknown key at the activation',
      'unknown_key',
      pending,
      rejected(404, 'LICENSE_NOT_FOUND'),
    ],
    ['no certificate', 'no_certificate', active(null)],
    ['no certificate at the activation', 'no_certificate', pending, json(200, { success: true })],
    ['no success', 'not_the_service', pending, json(200, { success: false })],
    ['a license that is still pending', 'not_the_service', pending, pending],
    ['404 with a page', 'not_the_service', page(404)],
  ]) {
    scenario(
      `activate throws ${code}, and stores nothing: ${name}`,
      {},
      replies(...list),
      throws(code, { requests: TWO.slice(0, list.length) }),
      restart(),
      status(invalid('none')),
      NO_STATE_FILE,
    );
  }
  for (const [name, code] of [
    ['LICENSE_REVOKED', 'revoked'],
    ['LICENSE_EXPIRED', 'expired'],
    ['LICENSE_ON_ANOTHER_MACHINE', 'other_machine'],
  ]) {
    scenario(
      `activate throws ${code}, and stores nothing: an activation that is ${name}`,
      {},
      replies(pending, rejected(403, name)),
      throws(code),
      NO_STATE_FILE,
    );
  }
  scenario(
    "activate throws the service's own code and message for other rejections",
    {},
    replies(json(400, { code: 'FINGERPRINT_REQUIRED', message: 'Fingerprint is required' })),
    throws('FINGERPRINT_REQUIRED', { throws: { message: 'Fingerprint is required' } }),
  );
  for (const [code, httpStatus, text, retryAfter] of [
    ['rate_limited', 429, '42', 42],
    ['server_error', 503, '2', 2],
    ['server_error', 503, 'Fri, 15 Jan 2027 08:00:00 GMT', null],
    ['rate_limited', 429, '1.5', null],
    ['rate_limited', 429, '-1', null],
    ['rate_limited', 429, '1111111111', null],
  ]) {
    scenario(
      `activate reports a Retry-After in whole seconds: ${httpStatus} ${text}`,
      {},
      replies(json(httpStatus, {}, { 'Retry-After': text })),
      throws(code, { throws: { retryAfter } }),
    );
  }
  for (const [name, value] of [
    ['a text', 'text'],
    ['a number', 7],
    ['a list', [WEEK]],
    ['of another issuer', certificate('foreign', { key: FOREIGN })],
    ['of another product', certificate('of another product', { aud: 'com.example.cheap-shop' })],
    [
      'of another machine',
      certificate('of another machine', { fingerprint: 'the fingerprint of another machine' }),
    ],
    ['with a line feed', `${WEEK}\n`],
  ]) {
    scenario(
      `activate throws bad_certificate, and stores nothing: ${name}`,
      {},
      replies(active(value)),
      throws('bad_certificate'),
      NO_STATE_FILE,
    );
  }
}

function addClock() {
  scenario(
    'activate reports clock if its certificate has already expired, until the clock is set',
    {},
    at(END),
    replies(active(WEEK)),
    activate(invalid('clock', 'already_over')),
    at(NOW + DAY),
    status(valid()),
    at(END),
    status(invalid('ended', 'certificate_ended')),
  );
  const license = { expiresAt: '2027-01-15T08:00:00.000Z' };
  scenario(
    'activate reports clock if the license has already expired',
    {},
    replies(active(certificate('of a license that is over', { license }))),
    activate(invalid('clock', 'already_over')),
  );
  scenario(
    'activate reports clock if its certificate was issued in the future',
    {},
    at(NOW - 2 * DAY),
    replies(active(WEEK)),
    activate(invalid('clock', 'issued_in_future')),
  );
  scenario(
    'clock is reported until the clock is set, whatever else fails',
    {},
    activated(),
    at(NOW + 8 * DAY),
    replies(active(WEEK), json(503, {})),
    refresh(invalid('clock', 'already_over')),
    refresh(invalid('clock', 'server_error')),
    at(NOW),
    status(valid({ reason: 'server_error' })),
  );
  scenario(
    'an installed certificate reports ended, not clock',
    {},
    activated(),
    at(NOW + 8 * DAY),
    refresh(invalid('clock', 'already_over')),
    install(WEEK, invalid('ended', 'certificate_ended')),
  );
  scenario(
    'forget also removes the reason of a failed refresh',
    {},
    activated(),
    at(NOW + 8 * DAY),
    refresh(invalid('clock', 'already_over')),
    replies(json(503, {})),
    refresh(invalid('clock', 'server_error')),
    forget(),
    install(WEEK, invalid('ended', 'certificate_ended')),
  );
}
