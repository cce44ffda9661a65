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
  private sampledAt = -Infinity;
  private isSampling = false;
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
    const isFresh = performance.now() - this.sampledAt < SAMPLING_INTERVAL;
    if (!this.sample || !(isFresh || this.isSampling)) this.sample = this.query();
    return this.sample;
  }

  private async query(): Promise<boolean> {
    this.isSampling = true;
    this.sampledAt = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The store timed out')), TIMEOUT).unref();
    });
    try {
      await Promise.race([this.store.ping(), timeout]);
      return true;
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
      this.isSampling = false;
    }
  }
}
