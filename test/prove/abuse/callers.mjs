// A generator with many callers at the same time. Each sends its next request when it has a response.
import { setTimeout } from 'node:timers/promises';
import { Connection } from '../overload/connection.mjs';
import { addressIn, Requests } from '../overload/requests.mjs';
import { runJob } from '../overload/run-job.mjs';

/** Callers that begin in each millisecond: all at once would overflow the queue of the listener. */
const BEGIN_EACH_MS = 10;
/** Wait before a caller opens a connection again, in milliseconds. */
const REOPEN_AFTER = 500;
/** Timeout for the last responses, in milliseconds. */
const LAST_RESPONSES = 10_000;

class Callers {
  #job;
  #requests;
  #isOver = false;
  #addresses = 0;
  #open = new Map();
  #result = { statuses: {}, failures: {}, opened: 0, closed: 0 };

  /** @param {import('./loads.js').Callers & { url: string, seconds: number }} job */
  constructor(job) {
    this.#job = job;
    this.#requests = new Requests(job.requests);
    this.#addresses = Math.ceil(job.callers / job.callersPerAddress);
  }

  async run() {
    const { callers, callersPerAddress, seconds } = this.#job;
    for (let number = 0; number < callers; number++) {
      const address = addressIn(this.#job.network, Math.floor(number / callersPerAddress));
      const caller = { number, address, served: 0 };
      void setTimeout(number / BEGIN_EACH_MS).then(() => this.#begin(caller));
    }
    await setTimeout(seconds * 1000);
    this.#isOver = true;
    const withoutResponse = () =>
      [...this.#open.values()].filter(({ isWaiting }) => isWaiting).length;
    const end = performance.now() + LAST_RESPONSES;
    while (withoutResponse() > 0 && performance.now() < end) await setTimeout(10);
    return { ...this.#result, withoutResponse: withoutResponse() };
  }

  onResponse(connection, { status, hasRetryAfter }) {
    const caller = this.#open.get(connection);
    caller.isWaiting = false;
    count(this.#result.statuses, status);
    // Every rejection has the header, and so has the specified 500 of a late store.
    if ((status === 429 || status >= 500) && !hasRetryAfter) {
      count(this.#result.failures, `${status} without Retry-After`);
    }
    if (status !== 503) caller.served += 1;
    if (caller.served === this.#job.servedPerAddress) {
      caller.address = addressIn(this.#job.network, this.#addresses++);
      caller.served = 0;
      this.#open.delete(connection);
      connection.destroy();
      void this.#begin(caller);
    } else if (!this.#isOver && !this.#job.holds) {
      this.#send(connection, caller);
    }
  }

  async onClosed(connection) {
    const caller = this.#open.get(connection);
    // Closed by a caller that moved to a new address.
    if (!caller) return;
    this.#open.delete(connection);
    this.#result.closed += 1;
    await setTimeout(REOPEN_AFTER);
    await this.#begin(caller);
  }

  async #begin(caller) {
    for (;;) {
      if (this.#isOver) return;
      try {
        const connection = await Connection.open(this.#job.url, this, caller.address);
        this.#result.opened += 1;
        this.#open.set(connection, caller);
        this.#send(connection, caller);
        return;
      } catch {
        this.#result.closed += 1;
        await setTimeout(REOPEN_AFTER);
      }
    }
  }

  #send(connection, caller) {
    caller.isWaiting = true;
    connection.send(this.#requests.at(caller.number), 0);
  }
}

function count(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1;
}

runJob((job) => new Callers(job).run());
