import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ErrorCode } from '../shared/errors/error-codes.js';
import { Store } from '../storage/store.js';

/** Timeout of a query of the store, in milliseconds. */
const TIMEOUT = 2000;
/** Sampling interval of the store in milliseconds, however often readiness is requested. */
const SAMPLING_INTERVAL = 250;

@Injectable()
export class HealthService implements OnModuleDestroy {
  private shuttingDown = false;
  /** When the latest sample began, in milliseconds of performance.now(); Infinity while it is in progress. */
  private sampledAt = -Infinity;
  private sample = Promise.resolve(false);

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
    const now = performance.now();
    if (now - this.sampledAt >= SAMPLING_INTERVAL) {
      this.sampledAt = Infinity;
      this.sample = this.query().finally(() => (this.sampledAt = now));
    }
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
