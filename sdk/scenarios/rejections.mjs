// Rejections stop a license if the service signed them for this request.
import { DAY, FOREIGN, HEADER, NOW, machine, thumbprint } from '../vectors/certificates.mjs';
import {
  KEY,
  OTHER_LICENSE,
  REJECTIONS,
  WEEK,
  activate,
  active,
  at,
  certificate,
  change,
  fails,
  install,
  invalid,
  json,
  leaseCertificate,
  refresh,
  rejected,
  replies,
  restart,
  running,
  runningLeased,
  scenario,
  seated,
  signed,
  stateFile,
  status,
  valid,
  validation,
} from './scenario-list.mjs';

const unproved = (rejection) => validation('revoked', { rejection });
const claims = (changes) => signed('revoked', { claims: changes });
const header = (changes) =>
  signed('revoked', { header: { ...HEADER, typ: 'license-rejection+jwt', ...changes } });

/** Each one breaks one rule. */
const UNPROVED = {
  'that is absent': undefined,
  'that is not a text': { status: 'revoked' },
  'that is a certificate': WEEK,
  'that is cut off': 'e30.e30',
  'of another issuer': signed('revoked', { key: 'foreign' }),
  'of another key with its own kid': signed('revoked', {
    key: 'foreign',
    header: { ...HEADER, typ: 'license-rejection+jwt', kid: thumbprint(FOREIGN.jwk) },
  }),
  'with the typ of a certificate': header({ typ: 'license+jwt' }),
  'with the typ in another case': header({ typ: 'License-Rejection+JWT' }),
  'with a fourth header member': header({ crit: [] }),
  'with another alg': header({ alg: 'none' }),
  'with the nonce of another request': claims({ nonce: 'AAAAAAAAAAAAAAAAAAAAAA' }),
  'with a nonce that is null': claims({ nonce: null }),
  'of another product': claims({ aud: 'com.example.other' }),
  'with aud as a list': claims({ aud: ['com.example.web-shop'] }),
  'with another iss': claims({ iss: 'another' }),
  'for another machine': claims({ machine: machine({ fingerprint: 'of another machine' }) }),
  'of another license': claims({ sub: OTHER_LICENSE, machine: machine({ sub: OTHER_LICENSE }) }),
  'of another license, for the hash of this one': claims({ sub: OTHER_LICENSE }),
  'with sub as a number': claims({ sub: 1 }),
  'with iat as a text': claims({ iat: String(NOW) }),
  'with iat that is negative': claims({ iat: -1 }),
  'with another status': claims({ status: 'expired' }),
  'with a status that does not exist': claims({ status: 'other_machine' }),
};

export function addRejections() {
  for (const [name, rejection] of Object.entries(UNPROVED)) {
    scenario(
      `a rejection ${name} changes nothing but the reason`,
      {},
      running(),
      replies(unproved(rejection)),
      refresh(valid({ reason: 'unproved' }), { unchanged: true }),
      restart(),
      status(valid()),
    );
  }
  for (const name of Object.keys(REJECTIONS)) {
    scenario(
      `${name} without a proof changes nothing but the reason`,
      {},
      running(),
      replies(validation(name, { rejection: undefined })),
      refresh(valid({ reason: 'unproved' }), { unchanged: true }),
    );
  }
  scenario(
    'a rejection with further claims is proved',
    {},
    running(),
    replies(unproved(claims({ further: 1 }))),
    refresh(invalid('revoked', 'rejected')),
  );
  scenario(
    'a rejection signed at any time is proved by the nonce of this request',
    {},
    running(),
    replies(unproved(claims({ iat: 0 }))),
    refresh(invalid('revoked', 'rejected')),
    stateFile({ rejection: 'revoked', rejectedAt: 0 }),
  );
  addErrors();
  addEnds();
}

/** Rejected requests for a seat. */
function addErrors() {
  for (const [code, name, state] of [
    ['LICENSE_REVOKED', 'revoked', 'revoked'],
    ['LICENSE_EXPIRED', 'expired', 'expired'],
    ['LICENSE_SUSPENDED', 'suspended', 'suspended'],
    ['LICENSE_ON_ANOTHER_MACHINE', 'machine_mismatch', 'other_machine'],
  ]) {
    scenario(
      `${code} of an activation ends the license if it is signed`,
      {},
      running(),
      replies(
        validation('pending'),
        rejected(403, code),
        validation('pending'),
        rejected(403, code, { rejection: signed(name) }),
      ),
      refresh(valid({ reason: 'unproved' }), { unchanged: true }),
      refresh(invalid(state, 'rejected')),
      stateFile({ rejection: state, rejectedAt: NOW }),
    );
  }
  for (const [code, name, thrown] of [
    ['LICENSE_REVOKED', 'revoked', { code: 'revoked' }],
    [
      ...['LICENSE_SUSPENDED', 'suspended'],
      { code: 'LICENSE_SUSPENDED', message: 'Message of LICENSE_SUSPENDED' },
    ],
  ]) {
    scenario(
      `${code} of a heartbeat is thrown, and ends the license if it is signed`,
      {},
      runningLeased(leaseCertificate('lease')),
      replies(rejected(403, code), rejected(403, code, { rejection: signed(name) })),
      fails('heartbeat', thrown.code, { throws: thrown, unchanged: true }),
      status(valid()),
      fails('heartbeat', thrown.code, { throws: thrown }),
      status(invalid(name, 'rejected')),
    );
  }
  scenario(
    'activate throws a rejection of the stored key, and does not store it',
    {},
    running(),
    replies(validation('revoked')),
    fails('activate', 'revoked', { argument: KEY, unchanged: true }),
    status(valid()),
  );
}

/** What lifts a rejection. */
function addEnds() {
  const rejectedAt = (seconds) => unproved(claims({ iat: seconds }));
  const issued = (seconds) => certificate(`of ${seconds} s`, { iat: NOW + seconds });
  scenario(
    'an installed certificate that was issued before a rejection does not end it',
    {},
    running(),
    replies(rejectedAt(NOW + 60)),
    refresh(invalid('revoked', 'rejected')),
    at(NOW + 120),
    install(issued(59), invalid('revoked', 'rejected')),
    stateFile({
      ...{ certificate: issued(59), installed: issued(59) },
      ...{ rejection: 'revoked', rejectedAt: NOW + 60, rememberedTime: NOW + 59 },
    }),
    install(issued(60), valid()),
    stateFile({ certificate: issued(60), installed: issued(60), rememberedTime: NOW + 60 }),
  );
  scenario(
    'a response recorded before a rejection and sent again does not end it',
    {},
    running(),
    replies(rejectedAt(NOW + 60), active(issued(59)), active(issued(59)), active(issued(60))),
    refresh(invalid('revoked', 'rejected')),
    at(NOW + 120),
    refresh(invalid('revoked', 'rejected')),
    activate(invalid('revoked', 'rejected')),
    restart(),
    status(invalid('revoked', 'rejected')),
    refresh(valid()),
    stateFile({ certificate: issued(60), rememberedTime: NOW + 60 }),
  );
  scenario(
    'an installed certificate of another license ends a rejection',
    {},
    running(),
    replies(rejectedAt(NOW + 60)),
    refresh(invalid('revoked', 'rejected')),
    install(certificate('of another license, for a week', { sub: OTHER_LICENSE }), valid()),
  );
  scenario(
    'any certificate ends a rejection from more than a day in the future, when the service had a wrong clock',
    {},
    running(),
    replies(rejectedAt(NOW + DAY + 1), active(WEEK), active(WEEK)),
    refresh(invalid('revoked', 'rejected')),
    at(NOW + 1),
    refresh(invalid('revoked', 'rejected')),
    at(NOW),
    refresh(valid()),
    stateFile({}),
  );
  scenario(
    'an activation ends a rejection',
    {},
    running(),
    replies(validation('lease_ended'), validation('lease_ended'), seated(WEEK)),
    refresh(invalid('lease_ended', 'rejected')),
    activate(valid()),
    stateFile({}),
  );
  scenario(
    'any installed certificate ends a rejection stored by an older SDK',
    {},
    running(),
    change({ rejection: 'revoked' }),
    { disk: { remove: ['rejectedAt'] } },
    status(invalid('revoked', 'rejected')),
    install(WEEK, valid()),
    stateFile({ installed: WEEK }),
  );
  for (const value of ['0', -1, 0.5, null, true]) {
    scenario(
      `a state file is damaged with ${JSON.stringify({ rejectedAt: value })}`,
      {},
      running(),
      change({ rejectedAt: value }),
      status(invalid('damaged', 'state_file')),
    );
  }
  scenario(
    'an unproved reason is reported until the next good response',
    {},
    running(),
    replies(json(200, { status: 'revoked' }), active(WEEK)),
    refresh(valid({ reason: 'unproved' })),
    refresh(valid()),
  );
}
