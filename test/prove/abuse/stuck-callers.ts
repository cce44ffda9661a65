import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Sampling interval for the service's connections, in milliseconds. */
const SAMPLE_EVERY = 500;

/** Callers that make no progress: each opens a connection, sends its texts, and reads nothing. */
export interface StuckCallers {
  /** Each caller has its own address in 127.network.0.0/24. */
  readonly network: number;
  /** The texts of each caller, sent one after the other. */
  readonly callers: readonly (readonly string[])[];
}

/**
 * Opens connections without progress, and waits until the service has closed them or time is up.
 *
 * @returns how long the service kept one open after the last text, in seconds
 */
export async function holdStuck(url: string, seconds: number, load: StuckCallers): Promise<number> {
  const { hostname: host, port } = new URL(url);
  const sockets: net.Socket[] = [];
  for (const [i, texts] of load.callers.entries()) {
    const localAddress = `127.${load.network}.0.${i}`;
    const socket = net.connect({ host, port: Number(port), localAddress }).pause();
    await once(socket, 'connect');
    // Writing to a connection that the service has reset fails.
    sockets.push(socket.on('error', () => undefined));
    for (const text of texts) {
      socket.write(text);
      await untilServed(url);
    }
  }
  const begun = performance.now();
  const kept = () => (performance.now() - begun) / 1000;
  while (kept() < seconds && hasOpen(Number(port), load.network)) await setTimeout(SAMPLE_EVERY);
  sockets.forEach((socket) => socket.destroy());
  return Math.round(kept() * 10) / 10;
}

/** Waits at most a second for the response to another request, because the service rejects excess requests immediately. */
const untilServed = (url: string) =>
  fetch(`${url}/health/live`, { signal: AbortSignal.timeout(1000) })
    .then((response) => response.text())
    .catch(() => undefined);

/**
 * Whether a server on IPv4 has a connection from a network open (ESTABLISHED or CLOSE_WAIT) in the kernel's list: a caller that
 * reads nothing cannot see that its connection was closed. Assumes the address bytes of a little-endian machine.
 */
function hasOpen(port: number, network: number): boolean {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const [local, remote] = [`\\w{8}:${hex(port, 4)}`, `\\w{2}00${hex(network, 2)}7f:\\w{4}`];
  const open = new RegExp(`: ${local} ${remote} 0[18] `, 'i');
  return open.test(fs.readFileSync('/proc/net/tcp', 'utf8'));
}
