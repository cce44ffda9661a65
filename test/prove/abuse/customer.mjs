// A generator that is the customer, whose license checks others must not affect. It validates at a fixed rate,
// without waiting for responses, and sends every second request on a new connection.
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { percentile } from '../percentile.mjs';
import { count, post, reasonOf } from './post.mjs';

/** @param {object} job that measure.ts sends: the keys are validated in turn, as of one machine that all of them are bound to */
async function run({ url, address, fingerprint, seconds, perSecond, keys }) {
  const rejected = {};
  const times = [];
  const agents = [true, false].map(
    (keepAlive) => new http.Agent({ localAddress: address, keepAlive }),
  );
  /** @returns why the license was not found valid; undefined where it was */
  const reject = async (key, agent) => {
    const { status, body } = await post(`${url}/validate`, { key, fingerprint }, { agent });
    if (status !== 200) return `${status} ${body.code}`;
    return body.valid === true ? undefined : `200 ${body.status}`;
  };
  const begun = performance.now();
  const validations = Array.from({ length: seconds * perSecond }, async (_, i) => {
    const due = begun + (i / perSecond) * 1000;
    await setTimeout(Math.max(0, due - performance.now()));
    const reason = await reject(keys[i % keys.length], agents[i % 2]).catch(reasonOf);
    if (reason) count(rejected, reason);
    else times.push(performance.now() - due);
  });
  await Promise.all(validations);
  times.sort((a, b) => a - b);
  const p99 = times.length > 0 ? Math.round(percentile(times, 0.99)) : null;
  return { sent: validations.length, rejected, p99 };
}

process.once('disconnect', () => process.exit());
process.once('message', async (job) => process.send(await run(job)));
