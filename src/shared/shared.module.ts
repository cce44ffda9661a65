import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from './config/config.js';
import { DataKeys, loadDataKeys } from './deployment/data-keys.js';
import { DeploymentRepository } from './deployment/deployment.repository.js';
import { Clock, SystemClock } from './time/clock.js';

/** What every feature may inject: the configuration, the clock and this deployment's data keys. */
@Global()
@Module({})
export class SharedModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: SharedModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useClass: SystemClock },
        {
          provide: DataKeys,
          inject: [DeploymentRepository, Config],
          useFactory: loadDataKeys,
        },
      ],
      exports: [Config, Clock, DataKeys],
    };
  }
}
