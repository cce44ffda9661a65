// The parts of a scenario, and the certificates that its texts refer to as `{name}`.
import { createHash } from 'node:crypto';
import {
  CLAIMS,
  CURRENT,
  DAY,
  FINGERPRINT,
  HEADER,
  ISSUER,
  NEXT,
  NOW,
  PRODUCT,
  issue,
  machine,
  signedBy,
} from '../vectors/certificates.mjs';

export const KEY = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';
export const OTHER_KEY = 'LIC-665f1c2ab7e4a90099999999-AAAA-BBBB-CCCC';
export const OTHER_LICENSE = '665f1c2ab7e4a90099999999';
export const LEASE = 3600;

/** The options of every program; a scenario may change some. The driver fills in `{service}` and `{folder}`. */
export const PROGRAM = {
  service: '{service}',
  issuer: ISSUER,
  product: PRODUCT,
  keys: [CURRENT.jwk, NEXT.jwk],
  folder: '{folder}',
  fingerprint: FINGERPRINT,
  // Long enough for a busy machine.
  timeout: 60_000,
};

export const scenarios = [];
export const certificates = {};

export function scenario(name, { program, needsTls, ...rest } = {}, ...steps) {
  if (scenarios.some((other) => other.name === name)) throw new Error(`${name} exists.`);
  const unknown = Object.keys(rest).join();
  if (unknown) throw new Error(`${name}: unknown ${unknown}`);
  const members = { ...(needsTls && { needsTls }), ...(program && { program }) };
  scenarios.push({ name, ...members, steps: steps.flat() });
}

/**
 * Adds a certificate and returns its reference `{name}`.
 *
 * @param changes changed claims; `fingerprint` and `key` change the machine and the signature, `license`
 *   its terms
 */
export function certificate(name, { fingerprint, key = CURRENT, license = {}, ...claims } = {}) {
  const { iat = NOW, sub = CLAIMS.sub, iss = ISSUER } = claims;
  const { exp = iat + 7 * DAY } = claims;
  const payload = {
    ...CLAIMS,
    ...claims,
    ...{ jti: name, iat, exp, machine: machine({ iss, sub, fingerprint }) },
    license: { ...CLAIMS.license, ...license },
  };
  const text = issue({ payload, ...signedBy(key) });
  if ((certificates[name] ??= text) !== text) throw new Error(`There are two of ${name}.`);
  return `{${name}}`;
}

/** A certificate of a license with leases, which expires with its lease. */
export function leaseCertificate(name, { license = {}, iat = NOW, ...claims } = {}) {
  const terms = { leaseSeconds: LEASE, ...license };
  return certificate(name, { iat, exp: iat + LEASE, license: terms, ...claims });
}

// Steps

/** From now on, the service sends these replies, one per request, repeating the last one. */
export const replies = (...list) => ({ replies: list });

/** The machine's clock, in seconds since 1970. */
export const at = (seconds) => ({ at: seconds });

/** Restarts the program with changed options. */
export const restart = (changes = {}, expected = {}) => ({ restart: changes, ...expected });

/** Changes the content of the state file. */
export const change = (members) => ({ disk: { change: members } });

/** The complete state file. Omitted members default to those of an active license. */
export const stateFile = (members, owner = {}) => ({
  state: {
    version: 1,
    machine: stateMachine(owner),
    key: KEY,
    certificate: '{week}',
    installed: null,
    rejection: null,
    rejectedAt: 0,
    rememberedTime: NOW,
    ...members,
  },
});
export const NO_STATE_FILE = { state: null };

/** The names of all files in the folder. */
export const files = (...names) => ({ files: names });

export function call(method, argument, expected) {
  return { call: method, ...(argument !== undefined && { argument }), ...expected };
}
export const status = (returns, expected) => call('status', undefined, { returns, ...expected });
export const refresh = (returns, expected) => call('refresh', undefined, { returns, ...expected });
export const heartbeat = (returns, expected) =>
  call('heartbeat', undefined, { returns, ...expected });
export const activate = (returns, expected) => call('activate', KEY, { returns, ...expected });
export const install = (text, returns, expected) => call('install', text, { returns, ...expected });
export const has = (entitlement, returns) => call('has', entitlement, { returns });
export const forget = () => call('forget', undefined, { returns: null });

/** A call that fails with this code. The message defaults to the one in `messages.json`. */
export const fails = (method, code, { argument, ...expected } = {}) =>
  call(method, argument, { throws: { code, ...expected.throws }, ...omit(expected, 'throws') });

// Replies

export const json = (httpStatus, body, headers) => ({
  status: httpStatus,
  body,
  ...(headers && { headers }),
});
export const page = (httpStatus, headers) => ({
  status: httpStatus,
  text: '<h1>Hello</h1>',
  ...(headers && { headers }),
});

/** A validation with the status active. */
export const active = (reference) =>
  json(200, { valid: true, status: 'active', certificate: reference });

/** A successful activation or heartbeat. */
export const seated = (reference) => json(200, { success: true, certificate: reference });

/** The signed statuses that stop a license, with their states. */
export const REJECTIONS = {
  revoked: 'revoked',
  expired: 'expired',
  machine_mismatch: 'other_machine',
  suspended: 'suspended',
  lease_ended: 'lease_ended',
};

/** The statement that the driver signs in its reply; `changes` apply to its claims, `header` or `key`. */
export const signed = (name, { claims, ...changes } = {}) => ({
  sign: {
    key: 'current',
    header: REJECTION_HEADER,
    claims: {
      ...{ iss: ISSUER, aud: PRODUCT, sub: CLAIMS.sub, iat: NOW, nonce: '{nonce}' },
      ...{ machine: machine(), status: name, ...claims },
    },
    ...changes,
  },
});

const REJECTION_HEADER = { ...HEADER, typ: 'license-rejection+jwt' };

/** A validation with another status. The service signs the ones that stop the license. */
export const validation = (name, members) =>
  json(200, {
    ...{ valid: false, status: name, message: name },
    ...(name in REJECTIONS && { rejection: signed(name) }),
    ...members,
  });

/** A validation of a license with leases, which the service does not sign. */
export const leased = () =>
  json(200, { valid: true, status: 'active', leaseEndsAt: '2027-01-15T09:00:00.000Z' });

/** A rejected activation, heartbeat or release. */
export const rejected = (httpStatus, code, members) =>
  json(httpStatus, { success: false, code, message: `Message of ${code}`, ...members });

/** A reply sent after another process takes these steps. */
export const meanwhile = (reply, ...steps) => ({ ...reply, meanwhile: steps });

// Statuses

export const WEEK = certificate('week');
export const END = NOW + 7 * DAY;
export const valid = (members = {}) => ({ state: 'valid', reason: null, ...members });
export const invalid = (state, reason = null) => ({ state, reason });
export const iso = (seconds) => new Date(seconds * 1000).toISOString();
export const activated = (reference = WEEK) => [replies(active(reference)), activate(valid())];
/** An activated license, after a restart of the program. */
export const running = (reference = WEEK) => [
  replies(active(reference)),
  call('activate', KEY, {}),
  restart(),
];
export const runningLeased = (reference) => [
  replies(validation('pending'), seated(reference)),
  call('activate', KEY, {}),
  restart(),
];

export function stateMachine({ product = PRODUCT, fingerprint = FINGERPRINT } = {}) {
  const text = `license-state:v1\n${ISSUER}\n${product}\n${fingerprint}`;
  return createHash('sha256').update(text).digest('base64url');
}

function omit(object, name) {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
}
