import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import { EventLoop } from './event-loop.js';
import { isIn } from '../trusted-proxies.js';

/** Requests that a connection may send before their responses have been read. */
export const MAX_PIPELINED = 8;

interface Pipeline {
  pending: number;
  isClosing: boolean;
}

/** Bounds what connections hold of memory: their number, those of one address, and the responses that each has to read. */
@Injectable()
export class Connections {
  private readonly pipelines = new WeakMap<Socket, Pipeline>();
  private readonly ofAddress = new Map<string, number>();
  private closed = 0;

  constructor(
    private readonly config: Config,
    private readonly loop: EventLoop,
  ) {}

  /**
   * Closes new connections beyond MAX_CONNECTIONS, and those of one address beyond half of them, so that no address
   * keeps the others out. A trusted proxy may have all.
   */
  bound(server: Server): void {
    const { maxConnections, trustedProxies } = this.config;
    const maxOfAddress = Math.ceil(maxConnections / 2);
    server.maxConnections = maxConnections;
    server.on('drop', () => (this.closed += 1));
    server.on('connection', (socket: Socket) => {
      this.loop.noteConnection();
      // Read while the connection is open, which makes Node keep it for the limits and the log.
      const address = socket.remoteAddress;
      if (address === undefined) {
        socket.destroy();
        return;
      }
      const count = (this.ofAddress.get(address) ?? 0) + 1;
      if (count > maxOfAddress && !isIn(trustedProxies, address)) {
        this.closed += 1;
        socket.destroy();
        return;
      }
      this.ofAddress.set(address, count);
      socket.once('close', () => this.forget(address));
    });
  }

  /**
   * Notes a request of a connection until its response has been sent.
   *
   * @returns `reject` for the first one too many, whose response ends the connection; `ignore` for those behind it
   */
  begin({ socket }: IncomingMessage, response: ServerResponse): 'serve' | 'reject' | 'ignore' {
    const pipeline = this.pipelines.get(socket) ?? { pending: 0, isClosing: false };
    if (pipeline.isClosing) return 'ignore';
    this.pipelines.set(socket, pipeline);
    pipeline.pending += 1;
    response.once('close', () => (pipeline.pending -= 1));
    pipeline.isClosing = pipeline.pending > MAX_PIPELINED;
    return pipeline.isClosing ? 'reject' : 'serve';
  }

  /** How many connections were closed since the last call. */
  takeClosed(): number {
    const { closed } = this;
    this.closed = 0;
    return closed;
  }

  private forget(address: string): void {
    const count = (this.ofAddress.get(address) ?? 1) - 1;
    if (count > 0) this.ofAddress.set(address, count);
    else this.ofAddress.delete(address);
  }
}
