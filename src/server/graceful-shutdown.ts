import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Config } from '../shared/config/config.js';

/** Timeout for requests in progress, in milliseconds. */
const TIMEOUT = 8000;
/** Time for requests that are already on their way, before idle connections are closed; in milliseconds. */
const GRACE = 500;
/** Interval between checks for idle connections, in milliseconds. */
const CHECK_EVERY = 50;

/**
 * Shuts the service down without dropping an accepted request, within ten seconds of the signal. Once it has
 * begun, every response closes its connection. During the drain new connections are still accepted, so that
 * load balancers can see the readiness check fail. Then the listener and idle connections are closed, and after the
 * timeout all others.
 */
@Injectable()
export class GracefulShutdown
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly sockets = new Set<Socket>();
  private ending = false;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly config: Config,
  ) {}

  /** Adds `Connection: close` to every response once the shutdown has begun. */
  closeByResponses(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.ending) reply.header('Connection', 'close');
      done();
    });
  }

  /** Whether the shutdown has begun: then every response closes its connection. */
  get hasBegun(): boolean {
    return this.ending;
  }

  onApplicationBootstrap(): void {
    this.server().on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  onModuleDestroy(): void {
    this.ending = true;
  }

  /** @param signal undefined if the program closes the application itself: then there is no drain */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const end = performance.now() + TIMEOUT;
    // Ctrl-C in a terminal: there is no load balancer to drain.
    if (signal && signal !== 'SIGINT') await setTimeout(this.config.drainSeconds * 1000);
    await setImmediate();
    // http.Server.close() would also close idle connections, on which requests may already be on their way.
    net.Server.prototype.close.call(this.server());
    const graceEnd = performance.now() + (signal ? GRACE : 0);
    while (this.sockets.size > 0) {
      // After the poll phase, which has read every request that has arrived.
      await setImmediate();
      if (performance.now() >= end) this.server().closeAllConnections();
      else if (performance.now() >= graceEnd) this.closeUnused();
      await setTimeout(CHECK_EVERY);
    }
  }

  private closeUnused(): void {
    this.server().closeIdleConnections();
    // Node does not count connections without a byte as idle; browsers open such connections in advance.
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  private server(): Server {
    return this.host.httpAdapter.getHttpServer() as Server;
  }
}
