import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ErrorCode } from '../shared/errors/error-codes.js';
import { Store } from '../storage/store.js';

/** Timeout of a query of the store, in milliseconds. */
const TIMEOUT = 2000;
/** How long the result of a query counts, in milliseconds, however often readiness is requested. */
const KEPT_FOR = 250;

@Injectable()
export class HealthService implements OnModuleDestroy {
  private shuttingDown = false;
  private sample: Promise<boolean> | undefined;

  constructor(private readonly store: Store) {}

  onModuleDestroy(): void {
    this.shuttingDown = true;
  }

  /** Why the service is not ready: SHUTTING_DOWN or STORE_UNAVAILABLE; undefined if it is ready. */
  async findFailure(): Promise<ErrorCode | undefined> {
    if (this.shuttingDown) return 'SHUTTING_DOWN';
    return (await this.isStoreReachable()) ? undefined : 'STORE_UNAVAILABLE';
  }

  private isStoreReachable(): Promise<boolean> {
    this.sample ??= this.query().finally(() => {
      setTimeout(() => (this.sample = undefined), KEPT_FOR).unref();
    });
    return this.sample;
  }

  private query(): Promise<boolean> {
    const timeout = new Promise<boolean>((resolve) => {
      setTimeout(resolve, TIMEOUT, false).unref();
    });
    const ping = this.store.ping().then(
      () => true,
      () => false,
    );
    return Promise.race([ping, timeout]);
  }
}
