import { type DynamicModule, Module } from '@nestjs/common';
import { Config, type Quotas } from '../../src/shared/config/config.js';
import { DataKeys } from '../../src/shared/sealing/data-keys.js';
import { NO_QUOTAS } from '../no-limits.js';

/** What the engines need of the shared module: quotas of the configuration, and data keys. */
@Module({})
export class QuotasModule {
  /** @param quotas read at each write, so that a test can change them */
  static of(quotas: Quotas = NO_QUOTAS): DynamicModule {
    const config = { provide: Config, useValue: { quotas } };
    const dataKeys = { provide: DataKeys, useValue: new DataKeys(Buffer.alloc(96, 1)) };
    const exports = [Config, DataKeys];
    return { module: QuotasModule, global: true, providers: [config, dataKeys], exports };
  }
}
