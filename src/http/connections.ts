import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Config } from '../shared/config/config.js';
import { limitConnections } from '../shared/config/open-files.js';
import { RejectionMetrics } from './rejection-metrics.js';

/** Maximum number of unread responses per connection. */
export const MAX_PIPELINED = 8;

/** Calls back once the response has been sent or the caller has disconnected; immediately if that has already happened. */
export function onClosed(response: ServerResponse, work: () => void): void {
  if (response.req.socket.destroyed) work();
  else response.once('close', work);
}

/**
 * Handles requests together, after an iteration of the event loop has read all that have arrived. Capacity then counts them together (R8),
 * callers that immediately send their next request cannot keep an iteration from ending, and a validation takes half the CPU time.
 */
export function batchRequests(server: Server): void {
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
  /** The unread responses of each open connection. */
  private readonly open = new Map<Socket, Set<ServerResponse>>();
  private isClosing = false;

  constructor(
    private readonly config: Config,
    private readonly metrics: RejectionMetrics,
  ) {}

  /** Enforces MAX_CONNECTIONS (or fewer, if the open file limit is lower) and {@link MAX_PIPELINED} unread responses per connection. */
  register(fastify: FastifyInstance): void {
    const { server } = fastify;
    server.maxConnections = limitConnections(this.config.maxConnections).maxConnections;
    server.on('drop', () => this.metrics.countConnection());
    server.on('connection', (socket: Socket) => {
      // Reading it now makes Node cache it for the limits and the log, which may need it after the socket has closed.
      if (socket.remoteAddress === undefined) return void socket.destroy();
      this.open.set(socket, new Set());
      socket.once('close', () => this.forget(socket));
    });
    fastify.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
      const unread = this.open.get(socket);
      // The caller has disconnected.
      if (!unread) return;
      unread.add(response);
      onClosed(response, () => unread.delete(response));
      if (unread.size > MAX_PIPELINED) socket.destroy();
      // Drops pipelined requests that were read together: nobody waits for their responses.
      if (!socket.destroyed) done();
    });
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.isClosing) reply.header('Connection', 'close');
      done();
    });
  }

  /** From now on, every response closes its connection. */
  closeAfterResponses(): void {
    this.isClosing = true;
  }

  get sockets(): Socket[] {
    return [...this.open.keys()];
  }

  private forget(socket: Socket): void {
    const unread = this.open.get(socket)!;
    this.open.delete(socket);
    // Node emits `close` only on the response being sent.
    for (const response of unread) if (!response.socket) response.emit('close');
  }
}
