import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Metrics } from '../../metrics/metrics.js';
import { MemoryRateLimits } from '../../limits/memory-rate-limits.js';
import { RateLimits } from '../../limits/rate-limits.js';
import type { AnyCollection } from '../collection.js';
import { type OpenMode, Store } from '../store.js';
import { WritableStore } from '../writable-store.js';
import { SqliteStore } from './sqlite-store.js';
import { ExpirySweep, SWEPT } from './expiry-sweep.js';
import { LogTruncation } from './log-truncation.js';

/** The store in one file of the data folder. */
@Global()
@Module({
  providers: [
    { provide: Store, useExisting: SqliteStore },
    { provide: WritableStore, useExisting: SqliteStore },
    // Only one process opens the file, so no other instance counts.
    { provide: RateLimits, useExisting: MemoryRateLimits },
  ],
  exports: [Store, WritableStore, RateLimits],
})
export class SqliteModule implements OnApplicationShutdown {
  constructor(private readonly store: SqliteStore) {}

  static forRoot(
    dataDir: string,
    collections: readonly AnyCollection[],
    mode: OpenMode,
  ): DynamicModule {
    const store = {
      provide: SqliteStore,
      inject: [Metrics],
      useFactory: (metrics: Metrics) => SqliteStore.open(dataDir, collections, mode, metrics),
    };
    const jobs = [{ provide: SWEPT, useValue: collections }, ExpirySweep, LogTruncation];
    const providers = mode === 'service' ? [store, ...jobs] : [store];
    return { module: SqliteModule, providers };
  }

  /** Runs after the server's last response. */
  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
