import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from './config/config.js';
import { DataKeys, loadDataKeys } from './sealing/data-keys.js';
import { DeploymentItems } from '../storage/deployment-items.js';
import { AccountQuotas } from './quotas/account-totals.js';
import { SecurityLog } from './logging/security-log.js';
import { StoreLog } from './logging/store-log.js';
import { JobFailures } from '../jobs/job.js';
import { Metrics, NO_METRICS } from '../metrics/metrics.js';
import { MemoryRateLimits } from '../limits/memory-rate-limits.js';
import { Clock, SystemClock } from './time/clock.js';
import { ClockCheck } from './time/clock-check.js';

/** Provides what all features share: configuration, metrics, clock, logs, quotas, in-memory rate limits and data keys. */
@Global()
@Module({})
export class SharedModule {
  static forRoot(config: Config, logger: Logger, metrics: Metrics = NO_METRICS): DynamicModule {
    const providers = [
      { provide: Config, useValue: config },
      { provide: Metrics, useValue: metrics },
      { provide: Clock, useClass: SystemClock },
      { provide: SecurityLog, useValue: new SecurityLog(logger) },
      { provide: StoreLog, useValue: new StoreLog(logger) },
      {
        provide: DataKeys,
        inject: [DeploymentItems, Config, SecurityLog],
        useFactory: loadDataKeys,
      },
      DeploymentItems,
      ClockCheck,
      AccountQuotas,
      JobFailures,
      MemoryRateLimits,
    ];
    return { module: SharedModule, providers, exports: providers };
  }
}
