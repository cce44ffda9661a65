import { createHash, createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError, readMachineId, textOf, writeWhole } from './machine-id.mjs';

/** Yours, and the same in every version: with another name, every fingerprint is another one. */
const PRODUCT = 'com.example.web-shop';
const GRACE_MS = 7 * 24 * 60 * 60 * 1000;
const TRIES = 3;
const LONGEST_WAIT_MS = 10_000;

const MISCONFIGURED = 2;
const UNCHECKED = 14;
const REJECTED = 15;
const REJECTIONS = {
  expired: [10, 'The license has expired: ask your vendor to renew it, then start again.'],
  revoked: [11, 'The license has been revoked: ask your vendor for a new license key.'],
  machine_mismatch: [12, 'The license is for another machine: ask your vendor to reissue it.'],
  invalid: [13, 'The license key is unknown: compare LICENSE_KEY with what your vendor sent.'],
};
const REJECTED_ACTIVATIONS = new Map([
  ['LICENSE_EXPIRED', 'expired'],
  ['LICENSE_REVOKED', 'revoked'],
  ['LICENSE_ON_ANOTHER_MACHINE', 'machine_mismatch'],
  ['LICENSE_NOT_FOUND', 'invalid'],
]);

/** Whether this program may run on this machine, as `{ run, exitCode, message }`. */
export async function checkLicense(env) {
  let settings, machineId;
  try {
    settings = readSettings(env);
    machineId = readMachineId(settings);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return reject(MISCONFIGURED, error.message);
  }
  const fingerprint = createHmac('sha256', machineId).update(PRODUCT).digest('hex');
  let response = await ask('/validate', fingerprint, settings);
  if (response.status === 'pending') {
    response = await ask('/validate/activate', fingerprint, settings);
  }
  const now = new Date();
  const file = path.join(settings.folder, 'license.json');
  // The state is of one license on one machine, and worth nothing to another.
  const owner = createHash('sha256').update(`${settings.key}\n${fingerprint}`).digest('hex');
  const decision = decide(response, readState(file, owner), now);
  try {
    keepState(file, owner, response, now);
  } catch ({ code }) {
    const message = `${decision.message} (LICENSE_STATE_DIR cannot be written: ${code}.)`;
    return { ...decision, message };
  }
  return decision;
}

/** What a response means for the program; `state` is what the last good response has left. */
export function decide(response, state, now) {
  const { status, reason } = response;
  if (status === 'active') return run(`Licensed until ${response.expiresAt.toISOString()}.`);
  if (status === 'rejected') {
    return reject(REJECTED, `This program has a bug, tell its vendor: ${reason}.`);
  }
  if (Object.hasOwn(REJECTIONS, status)) return reject(...REJECTIONS[status]);

  const unchecked = `The license could not be checked (${reason})`;
  const remedy = 'connect this machine to the license service, and start again.';
  if (!state) return reject(UNCHECKED, `${unchecked}, and never was before: ${remedy}`);
  if (state.lastValidAt > now) {
    return reject(UNCHECKED, `${unchecked}, and the clock is set back: ${remedy}`);
  }
  const until = new Date(Math.min(state.lastValidAt.getTime() + GRACE_MS, state.expiresAt));
  if (until <= now) {
    return reject(UNCHECKED, `${unchecked}, offline use ended ${until.toISOString()}: ${remedy}`);
  }
  return run(`${unchecked}: running offline until ${until.toISOString()}.`);
}

const run = (message) => ({ run: true, exitCode: 0, message });
const reject = (exitCode, message) => ({ run: false, exitCode, message });

function readSettings(env) {
  const text = (name) => {
    if (!env[name]?.trim()) throw new ConfigurationError(`Set ${name}.`);
    return env[name].trim();
  };
  const milliseconds = (name, ifAbsent) => {
    if (/^\d{0,6}$/.test(env[name] ?? '')) return Number(env[name] || ifAbsent);
    throw new ConfigurationError(`${name} takes milliseconds, such as ${ifAbsent}.`);
  };
  const service = text('LICENSE_SERVICE_URL').replace(/\/+$/, '');
  if (!/^https?:\/\/[^\s/]\S*$/.test(service)) {
    throw new ConfigurationError('LICENSE_SERVICE_URL takes an address: https://licenses.example.');
  }
  return {
    service,
    key: text('LICENSE_KEY'),
    folder: text('LICENSE_STATE_DIR'),
    machineIdFile: env.MACHINE_ID_FILE,
    timeoutMs: milliseconds('LICENSE_TIMEOUT_MS', 5000),
    backoffMs: milliseconds('LICENSE_BACKOFF_MS', 500),
  };
}

async function ask(route, fingerprint, { service, key, timeoutMs, backoffMs }) {
  for (let tries = 1; ; tries++) {
    const reply = await post(service + route, { key, fingerprint }, timeoutMs);
    if (reply.response) return reply.response;
    const jitter = 0.5 + Math.random() / 2;
    const backoff = Math.min(backoffMs * 2 ** (tries - 1) * jitter, LONGEST_WAIT_MS);
    const wait = reply.retryAfterMs ?? backoff;
    if (tries === TRIES || wait > LONGEST_WAIT_MS) {
      return { status: 'unreachable', reason: reply.reason };
    }
    await sleep(wait);
  }
}

async function post(url, question, timeoutMs) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(question),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status: code, headers } = response;
    const [seconds] = /^\d{1,9}$/.exec(headers.get('Retry-After') ?? '') ?? [];
    return {
      response: interpret(code, parseObject(await response.text())),
      reason: code === 200 ? 'unreadable response' : `HTTP ${code}`,
      retryAfterMs: seconds && Number(seconds) * 1000,
    };
  } catch (error) {
    return { reason: error.name === 'TimeoutError' ? 'no response in time' : 'no connection' };
  }
}

/** Nothing for what is no response of the license service, but of something on the way to it. */
function interpret(code, body) {
  if (code === 400 && body.message) return { status: 'rejected', reason: body.message };
  const granted = body.success === true ? 'active' : body.status;
  const status = code === 200 ? granted : REJECTED_ACTIVATIONS.get(body.code);
  if (status === 'active') {
    const expiresAt = parseTime(body.expiresAt);
    return expiresAt && { status, expiresAt };
  }
  if (status === 'pending') return { status, reason: 'not activated' };
  return Object.hasOwn(REJECTIONS, status) ? { status } : undefined;
}

function readState(file, owner) {
  const kept = parseObject(textOf(file));
  const lastValidAt = parseTime(kept.lastValidAt);
  const expiresAt = parseTime(kept.expiresAt);
  const isUsable = kept.owner === owner && lastValidAt && expiresAt;
  return isUsable ? { lastValidAt, expiresAt } : undefined;
}

function keepState(file, owner, { status, expiresAt }, lastValidAt) {
  if (status === 'active') {
    writeWhole(file, JSON.stringify({ owner, lastValidAt, expiresAt }), fs.renameSync);
  } else if (Object.hasOwn(REJECTIONS, status)) {
    // Otherwise, a rejected program would run again as soon as it is offline.
    fs.rmSync(file, { force: true });
  }
}

function parseObject(json) {
  try {
    return JSON.parse(json) ?? {};
  } catch {
    return {};
  }
}

function parseTime(text) {
  const time = new Date(Date.parse(text));
  return isNaN(time) ? undefined : time;
}
