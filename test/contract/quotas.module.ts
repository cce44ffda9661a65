import { type DynamicModule, Module } from '@nestjs/common';
import { pino } from 'pino';
import { Config, type Quotas } from '../../src/shared/config/config.js';
import { StoreLog } from '../../src/shared/logging/store-log.js';
import { Metrics, NO_METRICS } from '../../src/shared/metrics/metrics.js';
import { DataKeys } from '../../src/shared/sealing/data-keys.js';
import { NO_QUOTAS } from '../no-limits.js';

/** What the engines need of the shared module: quotas of the configuration, data keys, metrics and the log. */
@Module({})
export class QuotasModule {
  /** @param quotas read at each write, so that a test can change them */
  static of(quotas: Quotas = NO_QUOTAS): DynamicModule {
    const config = { provide: Config, useValue: { quotas } };
    const dataKeys = { provide: DataKeys, useValue: new DataKeys(Buffer.alloc(96, 1)) };
    const metrics = { provide: Metrics, useValue: NO_METRICS };
    const storeLog = { provide: StoreLog, useValue: new StoreLog(pino({ level: 'silent' })) };
    const providers = [config, dataKeys, metrics, storeLog];
    const exports = providers.map(({ provide }) => provide);
    return { module: QuotasModule, global: true, providers, exports };
  }
}
