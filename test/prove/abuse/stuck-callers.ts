import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Counts } from '../overload/load.js';

/** Sampling interval of the connections that the service holds, in milliseconds. */
const SAMPLE_EVERY = 500;

/** States of connections that the server has not closed: ESTABLISHED, CLOSE_WAIT. */
const OPEN_STATES = ['01', '08'];

/** Callers that make no progress: each opens a connection, sends its texts, and reads nothing. */
export interface StuckCallers {
  /** Each caller has an address of its own, in 127.network.0.0/24. */
  readonly network: number;
  /** Each sends its texts one after the other. */
  readonly callers: readonly { readonly kind: string; readonly texts: readonly string[] }[];
}

/**
 * Opens connections without progress, and waits until the service has closed them or the time is over.
 *
 * @returns the longest time for which the service kept one after that, in seconds, by kind
 */
export async function holdStuck(url: string, seconds: number, load: StuckCallers): Promise<Counts> {
  const { hostname: host, port } = new URL(url);
  const longest: Record<string, number> = {};
  const end = performance.now() + seconds * 1000;
  const begin = async ({ kind, texts }: StuckCallers['callers'][number], i: number) => {
    const localAddress = `127.${load.network}.0.${i}`;
    const socket = net.connect({ host, port: Number(port), localAddress }).pause();
    await once(socket, 'connect');
    // A write to a connection that the service has reset fails.
    socket.on('error', () => undefined);
    for (const text of texts) {
      socket.write(text);
      await untilServed(url);
    }
    return {
      socket,
      name: nameOf(localAddress, socket.localPort!),
      kind,
      since: performance.now(),
    };
  };
  /** Ends the connections that the service has closed, or all of them, and notes how long they were held. */
  const close = (held: ReadonlySet<string>) => {
    for (const { socket, kind, since } of open.filter(({ name }) => !held.has(name))) {
      socket.destroy();
      const seconds = Math.round((performance.now() - since) / 100) / 10;
      longest[kind] = Math.max(longest[kind] ?? 0, seconds);
    }
    open = open.filter(({ name }) => held.has(name));
  };
  let open: Awaited<ReturnType<typeof begin>>[] = [];
  for (const [i, caller] of load.callers.entries()) {
    open.push(await begin(caller, i));
    close(openSockets(url));
  }
  while (performance.now() < end && open.length > 0) {
    await setTimeout(SAMPLE_EVERY);
    close(openSockets(url));
  }
  close(new Set());
  return longest;
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
