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

/** Longest that a shutdown waits for its callers, in milliseconds. */
const TIMEOUT = 8000;
/** How long a connection must be without a request before it is closed, in milliseconds. */
const QUIET = 500;
/** How often it looks for such connections, in milliseconds. */
const LOOK_EVERY = 50;

/**
 * Ends the service without dropping a request that it has accepted. Every response from the signal on
 * closes its connection; for the time of the drain new connections are still taken, so that load
 * balancers can learn of it from readiness; then the connections without a request are closed, and
 * callers that do not finish are cut off, so that the process ends within ten seconds of its signal.
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

  /** Lets the responses say `Connection: close` once the shutdown has begun. */
  closeByResponses(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.ending) reply.header('Connection', 'close');
      done();
    });
  }

  /** Whether every response is to close its connection. */
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

  /** @param signal undefined where the program closes the application itself, with nobody to wait for */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const end = performance.now() + TIMEOUT;
    // Ctrl-C: nobody routes requests to where somebody sits at the terminal.
    if (signal && signal !== 'SIGINT') await setTimeout(this.config.drainSeconds * 1000);
    await setImmediate();
    // The HTTP server's own close() would close idle connections with it, whatever is on its way on them.
    net.Server.prototype.close.call(this.server());
    const quiet = performance.now() + (signal ? QUIET : 0);
    while (this.sockets.size > 0) {
      // Right after the loop has read all that had arrived.
      await setImmediate();
      if (performance.now() >= end) this.server().closeAllConnections();
      else if (performance.now() >= quiet) this.closeUnused();
      await setTimeout(LOOK_EVERY);
    }
  }

  private closeUnused(): void {
    this.server().closeIdleConnections();
    // Those that never sent a byte, as browsers open them ahead, do not count as idle.
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  private server(): Server {
    return this.host.httpAdapter.getHttpServer() as Server;
  }
}
