import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Counts } from '../overload/load.js';

/** Sampling interval of the connections that the service holds, in milliseconds. */
const SAMPLE_EVERY = 500;

/** Between two callers, in milliseconds. */
const PAUSE = 10;

/** States of connections that the server has not closed: ESTABLISHED, CLOSE_WAIT. */
const OPEN_STATES = ['01', '08'];

/** Callers that make no progress: each opens a connection, sends its texts, and reads nothing. */
export interface StuckCallers {
  /** Each caller has an address of its own, in 127.network.0.0/24. */
  readonly network: number;
  /** Each sends its texts one after the other. */
  readonly callers: readonly { readonly kind: string; readonly texts: readonly string[] }[];
}

/** The longest time for which the service kept a connection after that, in seconds, by kind. */
export interface Stuck {
  readonly longest: Counts;
}

/** Opens connections without progress, and waits until the service has closed them or the time is over. */
export async function holdStuck(url: string, seconds: number, load: StuckCallers): Promise<Stuck> {
  const longest: Record<string, number> = {};
  const end = performance.now() + seconds * 1000;
  const waiting = load.callers.map((caller, i) => {
    return { ...caller, from: `127.${load.network}.0.${i}` };
  });
  let open: Awaited<ReturnType<typeof begin>>[] = [];
  /** Ends connections, and notes how long they were held. */
  const close = ({ socket, since, caller: { kind } }: (typeof open)[number]) => {
    socket.destroy();
    const held = Math.round((performance.now() - since) / 100) / 10;
    longest[kind] = Math.max(longest[kind] ?? 0, held);
  };
  const begin = async (caller: (typeof waiting)[number]) => {
    const { hostname: host, port } = new URL(url);
    const socket = net.connect({ host, port: Number(port), localAddress: caller.from }).pause();
    await once(socket, 'connect');
    // A write to a connection that the service has reset fails.
    socket.on('error', () => undefined);
    for (const text of caller.texts) {
      socket.write(text);
      await untilServed(url);
    }
    const name = nameOf(caller.from, socket.localPort!);
    return { socket, name, caller, since: performance.now() };
  };
  let sampledAt = performance.now();
  while (performance.now() < end && waiting.length + open.length > 0) {
    if (waiting.length > 0) open.push(await begin(waiting.shift()!));
    await setTimeout(waiting.length > 0 ? PAUSE : SAMPLE_EVERY);
    if (performance.now() < sampledAt + SAMPLE_EVERY) continue;
    sampledAt = performance.now();
    const held = openSockets(url);
    const closed = open.filter(({ name }) => !held.has(name));
    open = open.filter(({ name }) => held.has(name));
    closed.forEach(close);
  }
  open.forEach(close);
  return { longest };
}

/** Waits for the response to another request, at most a second, as the service rejects too many requests at once. */
const untilServed = (url: string) =>
  fetch(`${url}/health/live`, { signal: AbortSignal.timeout(1000) })
    .then((response) => response.text())
    .catch(() => undefined);

/**
 * The names of the callers whose connections a server on IPv4 has open, as the kernel lists them: a caller that reads nothing
 * cannot see that its connection was closed.
 */
function openSockets(url: string): ReadonlySet<string> {
  const { hostname, port } = new URL(url);
  const server = nameOf(hostname, Number(port));
  const sockets = fs.readFileSync('/proc/net/tcp', 'utf8').split('\n');
  const open = sockets
    .map((line) => line.trim().split(/\s+/))
    // A socket that no process holds has no inode.
    .filter(([, local, , state, , , , , , inode]) => {
      return local === server && (inode !== '0' || OPEN_STATES.includes(String(state)));
    });
  return new Set(open.map(([, , remote]) => String(remote)));
}

/** The kernel writes the bytes of an address in the order of a little-endian machine. */
function nameOf(address: string, port: number): string {
  const bytes = Buffer.from(address.split('.').reverse().map(Number));
  return `${bytes.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
