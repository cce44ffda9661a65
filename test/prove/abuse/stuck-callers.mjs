// A generator with callers that make no progress: each opens a connection, sends its texts, and reads nothing. It measures
// for how long the service keeps each connection after that.
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { addressIn } from '../overload/requests.mjs';
import { runJob } from '../overload/run-job.mjs';
import { openSockets } from './open-sockets.mjs';

/** Sampling interval of the connections that the service holds, in milliseconds. */
const SAMPLE_EVERY = 500;

class StuckCallers {
  #job;
  #open = [];
  #longest = {};

  /** @param {import('./loads.js').StuckCallers & { url: string, seconds: number }} job */
  constructor(job) {
    this.#job = job;
  }

  async run() {
    const { seconds, network, callers, reopens } = this.#job;
    const end = performance.now() + seconds * 1000;
    const waiting = callers.map((caller, i) => ({ ...caller, address: addressIn(network, i) }));
    let sampledAt = performance.now();
    while (performance.now() < end && waiting.length + this.#open.length > 0) {
      if (waiting.length > 0) await this.#begin(waiting.shift());
      await setTimeout(waiting.length > 0 ? this.#job.pause : SAMPLE_EVERY);
      if (performance.now() < sampledAt + SAMPLE_EVERY) continue;
      sampledAt = performance.now();
      for (const { socket, caller } of this.#removeClosed()) {
        socket.destroy();
        if (reopens) waiting.push(caller);
      }
    }
    this.#open.forEach((connection) => this.#note(connection));
    return { longest: this.#longest };
  }

  #removeClosed() {
    const held = new Set(openSockets(this.#job.url).map(({ caller }) => caller));
    const isHeld = ({ name }) => held.has(name);
    const closed = this.#open.filter((connection) => !isHeld(connection));
    this.#open = this.#open.filter(isHeld);
    closed.forEach((connection) => this.#note(connection));
    return closed;
  }

  /** Notes how long a connection was held, in seconds. */
  #note({ since, caller: { kind } }) {
    const held = Math.round((performance.now() - since) / 100) / 10;
    this.#longest[kind] = Math.max(this.#longest[kind] ?? 0, held);
  }

  async #begin(caller) {
    const { hostname, port } = new URL(this.#job.url);
    const options = { host: hostname, port: Number(port), localAddress: caller.address };
    const socket = net.connect(options).pause();
    await once(socket, 'connect');
    // A write to a connection that the service has reset fails.
    socket.on('error', () => undefined);
    for (const text of caller.texts) {
      socket.write(text);
      await this.#untilServed();
    }
    const name = `${socket.localAddress}:${socket.localPort}`;
    this.#open.push({ socket, name, caller, since: performance.now() });
  }

  /** Waits for the response to another request, at most a second, as the service rejects too many requests at once. */
  async #untilServed() {
    const signal = AbortSignal.timeout(1000);
    const response = await fetch(`${this.#job.url}/health/live`, { signal }).catch(() => undefined);
    await response?.text().catch(() => undefined);
  }
}

runJob((job) => new StuckCallers(job).run());
