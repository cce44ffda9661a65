import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import { networkOf } from '../client-address.js';
import { EventLoop } from './event-loop.js';
import { isIn } from '../trusted-proxies.js';
import { whenClosed } from '../when-closed.js';

/** Requests that a connection may send before their responses have been read. */
export const MAX_PIPELINED = 8;
/** Share of all connections that one address may have. */
const SHARE_OF_ADDRESS = 1 / 16;

interface Connection {
  readonly network: string;
  /** Requests without a response. */
  pending: number;
  latest?: IncomingMessage;
  isClosing: boolean;
}

/** Bounds what connections hold of memory: their number, those of one address, and the responses that each has to read. */
@Injectable()
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly byNetwork = new Map<string, Set<Socket>>();
  private closed = 0;

  constructor(
    private readonly config: Config,
    private readonly loop: EventLoop,
  ) {}

  /**
   * Keeps at most MAX_CONNECTIONS open, and a sixteenth of them for one address, so that no address keeps the others
   * out. A trusted proxy may have all. Where no place is left, a new connection takes that of an idle one.
   */
  bound(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.loop.noteConnection();
      // Read while the connection is open, which makes Node keep it for the limits and the log.
      const address = socket.remoteAddress;
      const network = address && networkOf(address);
      if (network && this.makeRoom(network, address)) this.add(socket, network);
      else this.close(socket);
    });
  }

  /**
   * Notes a request of a connection until its response has been sent.
   *
   * @returns `reject` for the first one too many, whose response ends the connection; `ignore` for those behind it
   */
  begin(request: IncomingMessage, response: ServerResponse): 'serve' | 'reject' | 'ignore' {
    const connection = this.open.get(request.socket);
    if (!connection || connection.isClosing) return 'ignore';
    connection.latest = request;
    connection.pending += 1;
    whenClosed(response, () => (connection.pending -= 1));
    connection.isClosing = connection.pending > MAX_PIPELINED;
    return connection.isClosing ? 'reject' : 'serve';
  }

  /** How many connections were closed since the last call. */
  takeClosed(): number {
    const { closed } = this;
    this.closed = 0;
    return closed;
  }

  private makeRoom(network: string, address: string): boolean {
    const { maxConnections, trustedProxies } = this.config;
    const held = this.byNetwork.get(network) ?? new Set();
    if (held.size >= maxConnections * SHARE_OF_ADDRESS && !isIn(trustedProxies, address)) {
      return false;
    }
    return this.open.size < maxConnections || this.closeIdle();
  }

  /**
   * Closes the older half of the idle connections of the address that has most of them; the newer ones may be about to
   * send a request.
   *
   * @returns whether there were any
   */
  private closeIdle(): boolean {
    let most: Socket[] = [];
    for (const sockets of this.byNetwork.values()) {
      if (sockets.size <= most.length) continue;
      const idle = [...sockets].filter((socket) => isIdle(this.open.get(socket)!));
      if (idle.length > most.length) most = idle;
    }
    for (const socket of most.slice(0, Math.ceil(most.length / 2))) this.close(socket);
    return most.length > 0;
  }

  private add(socket: Socket, network: string): void {
    const held = this.byNetwork.get(network) ?? new Set();
    this.byNetwork.set(network, held.add(socket));
    this.open.set(socket, { network, pending: 0, isClosing: false });
    socket.once('close', () => this.forget(socket));
  }

  private close(socket: Socket): void {
    this.closed += 1;
    this.forget(socket);
    socket.destroy();
  }

  private forget(socket: Socket): void {
    const { network = '' } = this.open.get(socket) ?? {};
    this.open.delete(socket);
    const held = this.byNetwork.get(network);
    held?.delete(socket);
    if (held?.size === 0) this.byNetwork.delete(network);
  }
}

/** A request without its whole body counts as idle: half a body would keep a place for ten seconds. */
function isIdle({ pending, latest }: Connection): boolean {
  return pending === 0 || (pending === 1 && !latest!.complete);
}
