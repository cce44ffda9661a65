// A generator that sends requests to the service, on schedule or one after the other on each connection.
import { setTimeout } from 'node:timers/promises';
import { percentile } from '../../../bench/lib/statistics.mjs';
import { Connection } from './connection.mjs';
import { addressIn, Requests } from './requests.mjs';
import { runJob } from './run-job.mjs';

/** Statuses of a rejection: overload, or too many requests of an account at once. */
const REJECTIONS = [503, 429];

/** Fewer than the service allows. */
const CONNECTIONS_PER_ADDRESS = 250;

/** Interval at which due requests are sent, in milliseconds. */
const SENDING_INTERVAL = 2;
/** Timeout for the last responses, in milliseconds. */
const TIMEOUT = 30_000;

class Load {
  /** Used in rotation: the service closes a connection that is idle for long. */
  #idle = [];
  /** The due times of requests that found no idle connection: they are sent late, and their duration counts from then. */
  #overdue = [];
  #isOver = false;
  #responded = 0;
  #sent = 0;
  #statuses = {};
  #failures = {};
  #served = [];

  constructor({ rate, requests }) {
    this.rate = rate;
    this.requests = new Requests(requests);
  }

  /** @param {import('./offer.js').Job} job */
  async run({ url, connections, seconds }) {
    for (let i = 0; i < connections; i++) {
      const address = addressIn(8, Math.floor(i / CONNECTIONS_PER_ADDRESS));
      this.#idle.push(await Connection.open(url, this, address));
    }
    const begun = performance.now();
    if (!this.rate) for (const connection of this.#idle.splice(0)) this.#send(connection, begun);
    for (
      let due = 0;
      performance.now() < begun + seconds * 1000;
      await setTimeout(SENDING_INTERVAL)
    ) {
      const now = performance.now();
      for (; this.rate && begun + (due / this.rate) * 1000 <= now; due++) {
        this.#overdue.push(begun + (due / this.rate) * 1000);
      }
      while (this.#overdue.length > 0 && this.#idle.length > 0) {
        this.#send(this.#idle.shift(), this.#overdue.shift());
      }
    }
    this.#isOver = true;
    const span = (performance.now() - begun) / 1000;
    const perSecond = this.#served.length / span;
    while (this.#responded < this.#sent && performance.now() < begun + seconds * 1000 + TIMEOUT) {
      await setTimeout(SENDING_INTERVAL);
    }
    if (this.#responded < this.#sent) this.#failures['no response'] = this.#sent - this.#responded;
    this.#served.sort((a, b) => a - b);
    return {
      statuses: this.#statuses,
      failures: this.#failures,
      p50: Math.round(percentile(this.#served, 0.5) ?? 0),
      p99: Math.round(percentile(this.#served, 0.99) ?? 0),
      sent: this.#sent,
      unsent: this.#overdue.length,
      perSecond,
    };
  }

  onResponse(connection, { due, status, hasRetryAfter }) {
    this.#responded += 1;
    // Of the responses of 500, only the specified one of a late store has Retry-After.
    const kind = status === 500 && hasRetryAfter ? 'late' : status;
    this.#statuses[kind] = (this.#statuses[kind] ?? 0) + 1;
    if (!REJECTIONS.includes(status)) this.#served.push(performance.now() - due);
    else if (!hasRetryAfter) this.#fail(`${status} without Retry-After`);
    if (this.#isOver) return;
    if (!this.rate) this.#send(connection, performance.now());
    else if (this.#overdue.length > 0) this.#send(connection, this.#overdue.shift());
    else this.#idle.push(connection);
  }

  onClosed(_connection, reason) {
    this.#fail(reason);
  }

  #fail(reason) {
    this.#failures[reason] = (this.#failures[reason] ?? 0) + 1;
  }

  #send(connection, due) {
    connection.send(this.requests.at(this.#sent), due);
    this.#sent += 1;
  }
}

runJob((job) => new Load(job).run(job));
