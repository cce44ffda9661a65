import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Config } from '../shared/config/config.js';
import { SharedModule } from '../shared/shared.module.js';
import { StorageModule } from '../storage/storage.module.js';
import type { StoreUser } from '../storage/store-user.js';

/** The application for commands of the operator: no server, no routes. */
@Module({})
export class CliModule {
  /** @param features modules whose services the command uses, beside the store */
  static forRoot(
    config: Config,
    logger: Logger,
    storeUser: StoreUser,
    features: Type[] = [],
  ): DynamicModule {
    return {
      module: CliModule,
      imports: [
        SharedModule.forRoot(config, logger),
        StorageModule.forRoot(config, storeUser),
        ...features,
      ],
    };
  }
}
