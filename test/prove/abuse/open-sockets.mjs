import fs from 'node:fs';

/** States of connections that the server has not closed: ESTABLISHED, CLOSE_WAIT. */
const OPEN_STATES = ['01', '08'];

/**
 * The names of the callers whose connections a server on IPv4 has open, as the kernel lists them: a caller that reads nothing
 * cannot see that its connection was closed.
 */
export function openSockets(url) {
  const { hostname, port } = new URL(url);
  const server = nameOf(hostname, Number(port));
  const sockets = fs.readFileSync('/proc/net/tcp', 'utf8').split('\n');
  const open = sockets
    .map((line) => line.trim().split(/\s+/))
    // A socket that no process holds has no inode.
    .filter(([, local, , state, , , , , , inode]) => {
      return local === server && (inode !== '0' || OPEN_STATES.includes(state));
    });
  return new Set(open.map(([, , remote]) => remote));
}

/** The kernel writes the bytes of an address in the order of a little-endian machine. */
export function nameOf(address, port) {
  const bytes = Buffer.from(address.split('.').reverse().map(Number));
  return `${bytes.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
