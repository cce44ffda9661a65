import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { moveLicenseEvents } from './move-license-events.js';

/**
 * Moves the records of earlier versions while the service runs, until it shuts down. Every read finds a record in either
 * place, so nothing waits for it.
 */
@Injectable()
export class BackgroundMove implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(BackgroundMove.name);
  private readonly shutdown = new AbortController();

  constructor(@InjectConnection() private readonly connection: Connection) {}

  onApplicationBootstrap(): void {
    void this.move();
  }

  /** A transaction that is open then is aborted when the connection closes. */
  onModuleDestroy(): void {
    this.shutdown.abort();
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
