import type { Server } from 'node:http';
import net from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Config } from '../shared/config/config.js';
import { Connections } from './capacity.js';

/** Timeout for requests in progress, in milliseconds. */
const TIMEOUT = 8000;
/** How long idle connections stay open for requests already on their way, in milliseconds. */
const GRACE = 500;
/** Interval between checks for idle connections, in milliseconds. */
const CHECK_EVERY = 50;

/**
 * Shuts down within ten seconds of the signal without dropping an accepted request:
 *
 * 1. Drain: readiness fails, every response closes its connection, and new connections are still accepted.
 * 2. The listener closes; idle connections follow after a grace period, all others after the timeout.
 * 3. Nest closes Fastify, then the store (`onApplicationShutdown`).
 */
@Injectable()
export class GracefulShutdown
  implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown
{
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly config: Config,
    private readonly connections: Connections,
  ) {}

  onModuleDestroy(): void {
    this.connections.closeAfterResponses();
  }

  /** @param signal undefined if the program closes the application itself, without a drain */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    if (signal) this.log(signal, 'stopping');
    const end = performance.now() + TIMEOUT;
    // For Ctrl-C in a terminal, there is no load balancer to drain.
    if (signal && signal !== 'SIGINT') await setTimeout(this.config.shutdownDrain * 1000);
    await setImmediate();
    // http.Server.close() would also close idle connections with requests already on their way.
    net.Server.prototype.close.call(this.server());
    const graceEnd = performance.now() + (signal ? GRACE : 0);
    while (this.connections.sockets.length > 0) {
      // After the poll phase has read every request that has arrived.
      await setImmediate();
      if (performance.now() >= end) this.server().closeAllConnections();
      else if (performance.now() >= graceEnd) this.closeUnused();
      await setTimeout(CHECK_EVERY);
    }
  }

  onApplicationShutdown(signal?: string): void {
    if (signal) this.log(signal, 'stopped');
  }

  private closeUnused(): void {
    this.server().closeIdleConnections();
    // Node does not count connections that have sent no byte as idle; browsers open such connections in advance.
    for (const socket of this.connections.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  private log(signal: string, message: string): void {
    this.host.httpAdapter.getInstance<FastifyInstance>().log.info({ signal }, message);
  }

  private server(): Server {
    return this.host.httpAdapter.getHttpServer() as Server;
  }
}
