import { setTimeout } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { moveLicenseEvents } from './move-license-events.js';

/** Timeout of the current transaction at a shutdown, in milliseconds: the store may be away. */
const TIMEOUT = 3_000;

/**
 * Moves the records of earlier versions while the service runs, until it shuts down. Every read finds a record in either
 * place, so nothing waits for it.
 */
@Injectable()
export class BackgroundMove
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly logger = new Logger(BackgroundMove.name);
  private readonly shutdown = new AbortController();
  private moving: Promise<void> | undefined;
  private ended: Promise<void> | undefined;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  onApplicationBootstrap(): void {
    this.moving = this.move();
  }

  /** Begins no more transactions: requests in progress have the store to themselves. */
  onModuleDestroy(): void {
    this.shutdown.abort();
    this.ended = Promise.race([this.moving, setTimeout(TIMEOUT, undefined, { ref: false })]);
  }

  /** Before the connection is closed: the server would keep an open transaction, and its locks, for a minute. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.ended;
  }

  private async move(): Promise<void> {
    const { name } = this.connection;
    try {
      await moveLicenseEvents(this.connection.getClient().db(name), this.shutdown.signal);
    } catch (error) {
      if (this.shutdown.signal.aborted) return;
      this.logger.warn(`Events of licenses are moved on at the next start: ${String(error)}`);
    }
  }
}
