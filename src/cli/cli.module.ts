import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Logger } from 'pino';
import { COLLECTIONS } from '../collections.js';
import type { Config } from '../shared/config/config.js';
import { loadConfig } from '../shared/config/load-config.js';
import { createLogger } from '../shared/logging/logger.js';
import { SharedModule } from '../shared/shared.module.js';
import { StorageModule } from '../storage/storage.module.js';
import type { OpenMode } from '../storage/open-mode.js';
import { EventEffectsModule } from '../webhooks/event-effects.module.js';

/** The application for commands of the operator: no server, no routes. */
@Module({})
export class CliModule {
  static forRoot(config: Config, logger: Logger, mode: OpenMode, features: Type[] = []) {
    return {
      module: CliModule,
      imports: [
        SharedModule.forRoot(config, logger),
        StorageModule.forRoot(config, COLLECTIONS, mode),
        EventEffectsModule,
        ...features,
      ],
    };
  }
}

/**
 * Opens the store of the environment for a command, with a log on stderr.
 *
 * @param features modules whose services the command uses, beside the store
 * @throws StartupError where the store cannot be used
 */
export function openStore(env: NodeJS.ProcessEnv, mode: OpenMode, features: Type[] = []) {
  const config = loadConfig(env);
  const module = CliModule.forRoot(config, createLogger(config, process.stderr), mode, features);
  return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
}
