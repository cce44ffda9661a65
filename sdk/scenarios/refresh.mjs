// refresh(): which certificate stays stored, and what a rejection does.
import { DAY, FOREIGN, NOW } from '../vectors/certificates.mjs';
import {
  END,
  KEY,
  NO_STATE_FILE,
  OTHER_KEY,
  OTHER_LICENSE,
  REJECTIONS,
  WEEK,
  active,
  at,
  call,
  certificate,
  change,
  forget,
  install,
  invalid,
  iso,
  json,
  meanwhile,
  refresh,
  replies,
  restart,
  running,
  scenario,
  seated,
  stateFile,
  status,
  valid,
  validation,
} from './scenario-list.mjs';

const NEXT_DAY = certificate('of the next day', { iat: NOW + DAY });
const MONTH = certificate('month', { exp: NOW + 30 * DAY });
const OTHER = certificate('of another license, for a week', { sub: OTHER_LICENSE });
export function addRefresh() {
  addSuccess();
  addInstalled();
  addRejections();
  addCertificates();
  addOverlaps();
}

function addSuccess() {
  scenario(
    'refresh replaces the certificate with a later one',
    {},
    running(),
    at(NOW + DAY),
    replies(active(NEXT_DAY)),
    refresh(valid({ validUntil: iso(NOW + 8 * DAY) }), { requests: ['/validate'] }),
    stateFile({ certificate: NEXT_DAY, rememberedTime: NOW + DAY }),
    status(valid({ validUntil: iso(NOW + 8 * DAY) })),
  );
  const license = { services: ['Support'], entitlements: ['export'] };
  scenario(
    'refresh brings changed entitlements and services, even if the new certificate expires earlier',
    {},
    running(
      certificate('month with sso', { exp: NOW + 30 * DAY, license: { entitlements: ['sso'] } }),
    ),
    at(NOW + DAY),
    replies(active(certificate('of the next day with export', { iat: NOW + DAY, license }))),
    refresh(valid({ validUntil: iso(NOW + 8 * DAY), ...license })),
  );
  scenario(
    'refresh keeps the newer of two certificates that expire at the same time',
    {},
    running(),
    replies(active(certificate('another week', { license: { services: ['Support'] } }))),
    refresh(valid({ services: ['Support'] })),
  );
  scenario(
    'refresh activates again if the service has lost the activation',
    {},
    running(),
    at(NOW + DAY),
    replies(validation('pending'), seated(NEXT_DAY)),
    refresh(valid({ validUntil: iso(NOW + 8 * DAY) }), {
      requests: ['/validate', '/validate/activate'],
    }),
  );
  scenario(
    'refresh sends nothing without a stored key',
    {},
    replies(active(WEEK)),
    refresh(invalid('none'), { requests: [] }),
    install(WEEK, valid()),
    refresh(valid(), { requests: [] }),
  );
}

function addInstalled() {
  const later = (day, entitlements) =>
    certificate(`of day ${day}`, { iat: NOW + day * DAY, license: { entitlements } });
  scenario(
    'refresh never shortens an installed certificate, but takes the rest from the later one',
    {},
    running(),
    install(MONTH, valid()),
    ...[1, 2].flatMap((day) => [
      at(NOW + day * DAY),
      replies(active(later(day, [`day ${day}`]))),
      restart(),
      refresh(valid({ validUntil: iso(NOW + 30 * DAY), entitlements: [`day ${day}`] })),
    ]),
    stateFile({
      certificate: later(2, ['day 2']),
      installed: MONTH,
      rememberedTime: NOW + 2 * DAY,
    }),
    at(NOW + 30 * DAY),
    status(invalid('ended', 'certificate_ended')),
  );
  scenario(
    'refresh never shortens a certificate stored by an older SDK, which did not record installed ones',
    {},
    running(MONTH),
    { disk: { remove: ['installed'] } },
    at(NOW + DAY),
    replies(active(later(1, ['day 1']))),
    refresh(valid({ validUntil: iso(NOW + 30 * DAY), entitlements: ['day 1'] })),
  );
}

function addRejections() {
  for (const [name, state] of Object.entries(REJECTIONS)) {
    const rejection = {
      ...invalid(state, 'rejected'),
      validUntil: null,
      services: [],
      entitlements: [],
    };
    scenario(
      `${name} stops the license until the next valid certificate, and deletes nothing`,
      {},
      running(),
      replies(validation(name), active(WEEK)),
      refresh(rejection),
      stateFile({ rejection: state, rejectedAt: NOW }),
      restart(),
      status(rejection),
      refresh(valid({ validUntil: iso(END) })),
      stateFile({}),
    );
  }
  scenario(
    'a rejection is lifted by a certificate that is not stored',
    {},
    running(MONTH),
    install(MONTH, valid()),
    replies(validation('revoked'), active(WEEK)),
    refresh(invalid('revoked', 'rejected')),
    refresh(valid({ validUntil: iso(NOW + 30 * DAY) })),
  );
  scenario(
    'a rejection persists while the service is unavailable',
    {},
    running(),
    replies(validation('revoked'), json(503, {})),
    refresh(invalid('revoked', 'rejected')),
    refresh(invalid('revoked', 'server_error')),
    restart(),
    status(invalid('revoked', 'rejected')),
  );
}

function addCertificates() {
  for (const [name, value] of [
    ['of another issuer key', certificate('foreign', { key: FOREIGN })],
    ['of another product', certificate('of another product', { aud: 'com.example.cheap-shop' })],
    [
      'of another machine',
      certificate('of another machine', { fingerprint: 'the fingerprint of another machine' }),
    ],
    ['with a line feed', `${WEEK}\n`],
    ['that is damaged', 'a.b.c'],
    ['that is empty', ''],
    ['that is true', true],
    ['that is an object', {}],
  ]) {
    scenario(
      `a certificate ${name} changes nothing but the reason`,
      {},
      running(),
      replies(active(value)),
      refresh(valid({ reason: 'bad_certificate' }), { unchanged: true }),
    );
  }
}

function addOverlaps() {
  const activateOther = [replies(active(OTHER)), call('activate', OTHER_KEY, { returns: valid() })];
  for (const [name, reply] of [
    ['certificate', active(MONTH)],
    ['rejection', validation('revoked')],
  ]) {
    scenario(
      `refresh leaves another key that was activated during its request: ${name}`,
      {},
      running(),
      replies(meanwhile(reply, ...activateOther)),
      refresh(valid()),
      stateFile({ key: OTHER_KEY, certificate: OTHER }),
    );
    scenario(
      `refresh does not bring back a license that was forgotten during its request: ${name}`,
      {},
      running(),
      replies(meanwhile(reply, forget())),
      refresh(invalid('none')),
      NO_STATE_FILE,
    );
  }
  scenario(
    'if two processes refresh at the same time, the certificate that expires later counts',
    {},
    running(),
    replies(
      meanwhile(
        active(certificate('of 20 days', { exp: NOW + 20 * DAY })),
        replies(active(MONTH)),
        refresh(valid({ validUntil: iso(NOW + 30 * DAY) })),
      ),
    ),
    refresh(valid({ validUntil: iso(NOW + 30 * DAY) })),
    stateFile({ certificate: MONTH, key: KEY }),
  );
  scenario(
    'a certificate replaces a stored one that was edited by hand',
    {},
    running(),
    change({ certificate: 'text' }),
    status(invalid('damaged', 'format')),
    replies(json(503, {}), active(WEEK)),
    refresh(invalid('damaged', 'server_error')),
    refresh(valid()),
  );
}
