import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import type { Config } from '../shared/config/config.js';
import { SharedModule } from '../shared/shared.module.js';
import { StorageModule, type StoreUser } from '../storage/storage.module.js';

/** The application for account commands: no server, no routes. */
@Module({})
export class UserCliModule {
  static forRoot(config: Config, logger: Logger, storeUser: StoreUser): DynamicModule {
    return {
      module: UserCliModule,
      imports: [
        SharedModule.forRoot(config, logger),
        StorageModule.forRoot(config, storeUser),
        AccountsModule,
      ],
    };
  }
}
