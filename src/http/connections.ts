import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Config } from '../shared/config/config.js';
import { boundConnections } from '../shared/config/open-files.js';
import { RejectionMetrics } from './rejection-metrics.js';

/** Requests that a connection may send before their responses have been read. */
export const MAX_PIPELINED = 8;

/** Calls back once a response has been sent or its caller has gone; immediately if it has gone already. */
export function whenClosed(response: ServerResponse, work: () => void): void {
  if (response.req.socket.destroyed) work();
  else response.once('close', work);
}

/**
 * Has requests handled together, once an iteration of the event loop has read all that have arrived. What arrives together then counts
 * together against the capacity (R8), callers that send the next request at once cannot keep an iteration from ending, and a
 * validation takes half of the processor time.
 */
export function handleTogether(server: Server): void {
  const [serve] = server.listeners('request') as RequestListener[];
  let waiting: [IncomingMessage, ServerResponse][] = [];
  const handle = () => {
    const all = waiting;
    waiting = [];
    for (const [request, response] of all) serve!.call(server, request, response as never);
  };
  server.removeAllListeners('request').on('request', (request, response) => {
    if (waiting.push([request, response]) === 1) setImmediate(handle);
  });
}

/** Bounds the memory of connections: their number, and the unread responses of each. */
@Injectable()
export class Connections {
  /** The responses of each open connection that have not been read. */
  private readonly open = new Map<Socket, Set<ServerResponse>>();

  constructor(
    private readonly config: Config,
    private readonly metrics: RejectionMetrics,
  ) {}

  /** Accepts at most MAX_CONNECTIONS, fewer if the process may not open as many files, and closes a connection with more than {@link MAX_PIPELINED} unread responses. */
  bound(fastify: FastifyInstance): void {
    const { server } = fastify;
    server.maxConnections = boundConnections(this.config.maxConnections).maxConnections;
    server.on('drop', () => this.metrics.countConnection());
    server.on('connection', (socket: Socket) => {
      // Read while the connection is open, which makes Node keep it for the limits and the log.
      if (socket.remoteAddress === undefined) return void socket.destroy();
      this.open.set(socket, new Set());
      socket.once('close', () => this.forget(socket));
    });
    fastify.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
      const unread = this.open.get(socket);
      // Its caller has disconnected.
      if (!unread) return;
      unread.add(response);
      whenClosed(response, () => unread.delete(response));
      if (unread.size > MAX_PIPELINED) socket.destroy();
      // Nobody waits for a response to requests that were read together with those before them.
      if (!socket.destroyed) done();
    });
  }

  get sockets(): Socket[] {
    return [...this.open.keys()];
  }

  private forget(socket: Socket): void {
    const unread = this.open.get(socket)!;
    this.open.delete(socket);
    // Node closes only the response whose turn it was.
    for (const response of unread) if (!response.socket) response.emit('close');
  }
}
