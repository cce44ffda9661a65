import fs from 'node:fs';

/** The remote address of a listening socket in the kernel's list. */
const LISTENER = '00000000:0000';
/** States of connections that the server has not closed: ESTABLISHED, CLOSE_WAIT. */
const OPEN_STATES = ['01', '08'];

/**
 * The open connections of a server on IPv4, as the kernel lists them: a caller that reads nothing cannot see
 * that its connection was closed.
 *
 * @param {string} url of the server, with its address
 * @returns {{ caller: string, isAccepted: boolean }[]} `address:port` of each caller, and whether its connection
 *   has left the queue of the listener
 */
export function openSockets(url) {
  const { hostname, port } = new URL(url);
  const server = toHex(hostname, Number(port));
  const sockets = [];
  for (const line of fs.readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    if (!line.includes(server)) continue;
    const [, local, remote, state, , , , , , inode] = line.trim().split(/\s+/);
    // A socket that no process holds has no inode.
    const isAccepted = inode !== '0';
    if (local === server && remote !== LISTENER && (isAccepted || OPEN_STATES.includes(state))) {
      sockets.push({ caller: fromHex(remote), isAccepted });
    }
  }
  return sockets;
}

/** The kernel writes the bytes of an address in the order of a little-endian machine. */
function toHex(address, port) {
  const bytes = address.split('.').reverse().map(Number);
  return `${Buffer.from(bytes).toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

function fromHex(text) {
  const [address, port] = text.split(':');
  return `${[...Buffer.from(address, 'hex')].reverse().join('.')}:${parseInt(port, 16)}`;
}
