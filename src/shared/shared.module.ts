import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from './config/config.js';
import { IdempotentWrites } from './idempotency/idempotent-writes.service.js';
import { DataKeys, loadDataKeys } from './sealing/data-keys.js';
import { DeploymentRepository } from './sealing/deployment.repository.js';
import { SecurityLog } from './logging/security-log.js';
import { StoreLog } from './logging/store-log.js';
import { Metrics, NO_METRICS } from './metrics/metrics.js';
import { Clock, SystemClock } from './time/clock.js';

/** Provides the configuration, the metrics, the clock, the logs of security and of the store, the data keys and idempotent writes to every feature. */
@Global()
@Module({})
export class SharedModule {
  static forRoot(config: Config, logger: Logger, metrics: Metrics = NO_METRICS): DynamicModule {
    return {
      module: SharedModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Metrics, useValue: metrics },
        { provide: Clock, useClass: SystemClock },
        IdempotentWrites,
        { provide: SecurityLog, useValue: new SecurityLog(logger) },
        { provide: StoreLog, useValue: new StoreLog(logger) },
        {
          provide: DataKeys,
          inject: [DeploymentRepository, Config, SecurityLog],
          useFactory: loadDataKeys,
        },
      ],
      exports: [Config, Metrics, Clock, SecurityLog, StoreLog, DataKeys, IdempotentWrites],
    };
  }
}
