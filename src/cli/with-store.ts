import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Logger } from 'pino';
import { COLLECTIONS } from '../collections.js';
import type { Config } from '../shared/config/config.js';
import { loadConfig } from '../shared/config/load-config.js';
import { createLogger } from '../shared/logging/logger.js';
import { SharedModule } from '../shared/shared.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { EventEffectsModule } from '../webhooks/event-effects.service.js';

/** The services that a command uses. */
export type Services = Pick<INestApplicationContext, 'get'>;

/** The application for commands of the operator: no server, no routes. */
@Module({})
class CliModule {
  static forRoot(config: Config, logger: Logger, features: readonly Type[] = []) {
    return {
      module: CliModule,
      imports: [
        SharedModule.forRoot(config, logger),
        StorageModule.forRoot(config, COLLECTIONS, 'command'),
        EventEffectsModule,
        ...features,
      ],
    };
  }
}

/**
 * Uses the store of the environment, also while the service runs. The log goes to stderr.
 *
 * @param features modules whose services the command needs in addition to the store
 * @throws StartupError if the store cannot be used
 */
export async function withStore<T>(
  env: NodeJS.ProcessEnv,
  features: readonly Type[],
  use: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const config = loadConfig(env);
  const module = CliModule.forRoot(config, createLogger(config, process.stderr), features);
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext(module, options);
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}
