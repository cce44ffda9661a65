// A generator that is the customer, whose license checks others must not affect. It validates at a fixed rate,
// without waiting for responses, and sends every second request on a new connection.
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { percentile } from '../../../bench/lib/statistics.mjs';
import { runJob } from '../overload/run-job.mjs';

/** Timeout for a response, in milliseconds: a validation without one by then is rejected. */
const TIMEOUT = 10_000;

class Customer {
  #sent = 0;
  #rejected = {};
  #times = [];

  constructor({ url, address, fingerprint }) {
    this.url = url;
    this.fingerprint = fingerprint;
    const options = { localAddress: address };
    this.agents = [
      new http.Agent({ ...options, keepAlive: true }),
      new http.Agent({ ...options, keepAlive: false }),
    ];
  }

  /** @param {object} job that measure.ts sends: the keys are validated in turn, as of one machine that all of them are bound to */
  async run({ seconds, perSecond, keys }) {
    const begun = performance.now();
    const validations = [];
    for (let i = 0; i < seconds * perSecond; i++) {
      const due = begun + (i / perSecond) * 1000;
      await setTimeout(Math.max(0, due - performance.now()));
      validations.push(this.#validate(keys[i % keys.length], this.agents[i % 2], due));
    }
    await Promise.all(validations);
    const p99 = percentile(
      this.#times.toSorted((a, b) => a - b),
      0.99,
    );
    const rounded = p99 === undefined ? null : Math.round(p99);
    return { sent: this.#sent, rejected: this.#rejected, p99: rounded };
  }

  async #validate(key, agent, due) {
    this.#sent += 1;
    const reason = await this.#reject(key, agent).catch(reasonOf);
    if (reason) this.#rejected[reason] = (this.#rejected[reason] ?? 0) + 1;
    else this.#times.push(performance.now() - due);
  }

  /** @returns why the license was not found valid; undefined where it was */
  async #reject(key, agent) {
    const body = JSON.stringify({ key, fingerprint: this.fingerprint });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const signal = AbortSignal.timeout(TIMEOUT);
    const options = { method: 'POST', agent, headers, signal };
    const response = await new Promise((resolve, reject) => {
      http
        .request(`${this.url}/validate`, options)
        .on('response', resolve)
        .on('error', reject)
        .end(body);
    });
    const { valid, code, status } = await json(response);
    if (response.statusCode !== 200) return `${response.statusCode} ${code}`;
    return valid === true ? undefined : `200 ${status}`;
  }
}

const reasonOf = ({ code, name }) => (code === 'ABORT_ERR' ? 'a timeout' : (code ?? name));

runJob((job) => new Customer(job).run(job));
