// A generator that is the customer, whose license checks others must not affect. It validates at a fixed rate,
// without waiting for responses, and sends every second request on a new connection.
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { percentile } from '../../../bench/lib/statistics.mjs';

/** Timeout for a response, in milliseconds: a validation without one by then is rejected. */
const TIMEOUT = 10_000;

/** @param {object} job that measure.ts sends: the keys are validated in turn, as of one machine that all of them are bound to */
async function run({ url, address, fingerprint, seconds, perSecond, keys }) {
  const rejected = {};
  const times = [];
  const agents = [true, false].map(
    (keepAlive) => new http.Agent({ localAddress: address, keepAlive }),
  );
  /** @returns why the license was not found valid; undefined where it was */
  const reject = async (key, agent) => {
    const body = JSON.stringify({ key, fingerprint });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const options = { method: 'POST', agent, headers, signal: AbortSignal.timeout(TIMEOUT) };
    const response = await new Promise((resolve, reject) => {
      const request = http.request(`${url}/validate`, options);
      request.on('response', resolve).on('error', reject).end(body);
    });
    const { valid, code, status } = await json(response);
    if (response.statusCode !== 200) return `${response.statusCode} ${code}`;
    return valid === true ? undefined : `200 ${status}`;
  };
  const begun = performance.now();
  const validations = Array.from({ length: seconds * perSecond }, async (_, i) => {
    const due = begun + (i / perSecond) * 1000;
    await setTimeout(Math.max(0, due - performance.now()));
    const reason = await reject(keys[i % keys.length], agents[i % 2]).catch(reasonOf);
    if (reason) rejected[reason] = (rejected[reason] ?? 0) + 1;
    else times.push(performance.now() - due);
  });
  await Promise.all(validations);
  times.sort((a, b) => a - b);
  const p99 = times.length > 0 ? Math.round(percentile(times, 0.99)) : null;
  return { sent: validations.length, rejected, p99 };
}

const reasonOf = ({ code, name }) => (code === 'ABORT_ERR' ? 'a timeout' : (code ?? name));

process.once('disconnect', () => process.exit());
process.once('message', async (job) => process.send(await run(job)));
