// A generator with callers that make no progress: each opens a connection, sends its texts, and reads nothing. It measures
// for how long the service keeps each connection after that.
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { addressIn } from '../overload/requests.mjs';
import { nameOf, openSockets } from './open-sockets.mjs';

/** Sampling interval of the connections that the service holds, in milliseconds. */
const SAMPLE_EVERY = 500;

/** @param {import('./loads.js').StuckCallers & { url: string, seconds: number }} job */
async function run({ url, seconds, network, callers, pause, reopens }) {
  const longest = {};
  let open = [];
  const end = performance.now() + seconds * 1000;
  const waiting = callers.map((caller, i) => ({ ...caller, address: addressIn(network, i) }));
  /** Notes how long a connection was held, in seconds. */
  const note = ({ since, caller: { kind } }) => {
    const held = Math.round((performance.now() - since) / 100) / 10;
    longest[kind] = Math.max(longest[kind] ?? 0, held);
  };
  let sampledAt = performance.now();
  while (performance.now() < end && waiting.length + open.length > 0) {
    if (waiting.length > 0) open.push(await begin(url, waiting.shift()));
    await setTimeout(waiting.length > 0 ? pause : SAMPLE_EVERY);
    if (performance.now() < sampledAt + SAMPLE_EVERY) continue;
    sampledAt = performance.now();
    const held = openSockets(url);
    for (const connection of open.filter(({ name }) => !held.has(name))) {
      note(connection);
      connection.socket.destroy();
      if (reopens) waiting.push(connection.caller);
    }
    open = open.filter(({ name }) => held.has(name));
  }
  open.forEach(note);
  return { longest };
}

async function begin(url, caller) {
  const { hostname, port } = new URL(url);
  const options = { host: hostname, port: Number(port), localAddress: caller.address };
  const socket = net.connect(options).pause();
  await once(socket, 'connect');
  // A write to a connection that the service has reset fails.
  socket.on('error', () => undefined);
  for (const text of caller.texts) {
    socket.write(text);
    await untilServed(url);
  }
  const name = nameOf(socket.localAddress, socket.localPort);
  return { socket, name, caller, since: performance.now() };
}

/** Waits for the response to another request, at most a second, as the service rejects too many requests at once. */
async function untilServed(url) {
  const signal = AbortSignal.timeout(1000);
  const response = await fetch(`${url}/health/live`, { signal }).catch(() => undefined);
  await response?.text().catch(() => undefined);
}

process.once('disconnect', () => process.exit());
process.once('message', async (job) => process.send(await run(job)));
