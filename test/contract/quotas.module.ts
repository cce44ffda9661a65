import { type DynamicModule, Module } from '@nestjs/common';
import { Config, type Quotas } from '../../src/shared/config/config.js';
import { NO_QUOTAS } from '../no-limits.js';

/** The part of the configuration that the engines read. */
@Module({})
export class QuotasModule {
  /** @param quotas read at each write, so that a test can change them */
  static of(quotas: Quotas = NO_QUOTAS): DynamicModule {
    const config = { provide: Config, useValue: { quotas } };
    return { module: QuotasModule, global: true, providers: [config], exports: [Config] };
  }
}
