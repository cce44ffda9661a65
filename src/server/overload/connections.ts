import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import { networkOf } from '../client-address.js';
import { RequestQueues } from './request-queues.js';
import { isIn } from '../trusted-proxies.js';

/** Requests that a connection may send before their responses have been read. */
export const MAX_PIPELINED = 8;
/** Share of all connections that one address may have. */
const SHARE_OF_ADDRESS = 1 / 16;

interface Connection {
  readonly network: string;
  readonly isProxy: boolean;
  /** Responses that have not been sent. */
  readonly pending: Set<ServerResponse>;
  isClosing: boolean;
}

/** Calls back once a response has been sent or its caller has gone; immediately if it has gone already. */
export function whenClosed(response: ServerResponse, work: () => void): void {
  if (response.req.socket.destroyed) work();
  else response.once('close', work);
}

/** Bounds the memory of connections: their number, the number per address, and the unread responses of each. */
@Injectable()
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly byNetwork = new Map<string, Set<Socket>>();
  private closed = 0;

  constructor(
    private readonly config: Config,
    private readonly queues: RequestQueues,
  ) {}

  /**
   * Keeps at most MAX_CONNECTIONS open, and at most a sixteenth of them per address, so that no address shuts out the others.
   * A trusted proxy may use all of them. At the limit, a new connection replaces one of an address that has more.
   */
  bound(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.queues.noteConnection();
      // Read while the connection is open, which makes Node keep it for the limits and the log.
      const address = socket.remoteAddress;
      if (address === undefined) return this.close(socket);
      const network = networkOf(address);
      const isProxy = isIn(this.config.trustedProxies, address);
      if (this.makeRoom(network, isProxy)) this.add(socket, network, isProxy);
      else this.close(socket);
    });
  }

  /**
   * Notes a request of a connection until its response has been sent.
   *
   * @returns `reject` for the first one too many, whose response ends the connection; `ignore` for those behind it
   */
  begin(response: ServerResponse): 'serve' | 'reject' | 'ignore' {
    const connection = this.open.get(response.req.socket);
    if (!connection || connection.isClosing) return 'ignore';
    const { pending } = connection;
    pending.add(response);
    whenClosed(response, () => pending.delete(response));
    connection.isClosing = pending.size > MAX_PIPELINED;
    return connection.isClosing ? 'reject' : 'serve';
  }

  get sockets(): Socket[] {
    return [...this.open.keys()];
  }

  /** How many connections were closed since the last call. */
  takeClosed(): number {
    const { closed } = this;
    this.closed = 0;
    return closed;
  }

  private makeRoom(network: string, isProxy: boolean): boolean {
    const { maxConnections } = this.config;
    const held = this.byNetwork.get(network) ?? new Set();
    if (held.size >= maxConnections * SHARE_OF_ADDRESS && !isProxy) return false;
    return this.open.size < maxConnections || this.closeOthers(held, isProxy);
  }

  /**
   * Makes room at the expense of an address that has more connections, or of the proxy itself. Closes the older half of the idle
   * ones, because newer ones may be about to send a request. If all are busy, closes the newest of the address with the most.
   *
   * @param held the connections of the address that needs one more
   * @returns whether there is room
   */
  private closeOthers(held: ReadonlySet<Socket>, isProxy: boolean): boolean {
    let idle: Socket[] = [];
    let most: Socket[] = [];
    for (const sockets of this.byNetwork.values()) {
      const mayClose = sockets.size > held.size + 1 || (isProxy && sockets === held);
      if (!mayClose || sockets.size <= idle.length) continue;
      const all = [...sockets];
      const unused = all.filter((socket) => isIdle(this.open.get(socket)!));
      if (unused.length > idle.length) idle = unused;
      if (all.length > most.length && !this.open.get(all[0]!)!.isProxy) most = all;
    }
    const closing = idle.length > 0 ? idle.slice(0, Math.ceil(idle.length / 2)) : most.slice(-1);
    for (const socket of closing) this.close(socket);
    return closing.length > 0;
  }

  private add(socket: Socket, network: string, isProxy: boolean): void {
    const held = this.byNetwork.get(network) ?? new Set();
    this.byNetwork.set(network, held.add(socket));
    this.open.set(socket, { network, isProxy, pending: new Set(), isClosing: false });
    socket.once('close', () => this.forget(socket));
  }

  private close(socket: Socket): void {
    this.closed += 1;
    socket.destroy();
    this.forget(socket);
  }

  private forget(socket: Socket): void {
    const connection = this.open.get(socket);
    if (!connection) return;
    const { network, pending } = connection;
    this.open.delete(socket);
    const held = this.byNetwork.get(network)!;
    held.delete(socket);
    if (held.size === 0) this.byNetwork.delete(network);
    // Node closes only the response whose turn it was.
    for (const response of pending) if (!response.socket) response.emit('close');
  }
}

/** A connection whose request has no whole body yet counts as idle: half a body would otherwise hold it for ten seconds. */
function isIdle({ pending }: Connection): boolean {
  return [...pending].every(({ req }) => !req.complete);
}
