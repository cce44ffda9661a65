import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Reads the address of each connection while it is open, which makes Node keep it. Otherwise it is
 * undefined once the caller has reset the connection, and limits could not count what it has sent.
 */
export function rememberPeerAddresses(server: Server): void {
  server.on('connection', (socket: Socket) => {
    // The caller has reset the connection already.
    if (socket.remoteAddress === undefined) socket.destroy();
  });
}
