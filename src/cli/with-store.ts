import path from 'node:path';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccountsService } from '../auth/accounts/accounts.service.js';
import { PasswordHasher } from '../auth/passwords/password-hasher.js';
import { KeyPairs } from '../certificates/signing-keys/key-pairs.service.js';
import { COLLECTIONS } from '../collections.js';
import { IMPORT_SERVICES } from '../imports/import-services.js';
import { requireOwnFolder } from '../shared/config/data-folder.js';
import { type Environment, readEnvironment } from '../shared/config/environment.js';
import { loadConfig } from '../shared/config/load-config.js';
import { createLogger } from '../shared/logging/logger.js';
import { SharedModule } from '../shared/shared.module.js';
import { BulkInsert } from '../storage/bulk-insert.js';
import { StorageModule } from '../storage/storage.module.js';
import { EventEffectsModule } from '../webhooks/event-effects.service.js';

/** The services that commands use. */
export type Services = Pick<INestApplicationContext, 'get'>;

/**
 * Reads a command's variables before the command creates anything.
 *
 * @throws StartupError if one is invalid, or if root would write to another user's folder
 */
export function readVariables(env: NodeJS.ProcessEnv): Environment {
  const variables = readEnvironment(env);
  requireOwnFolder(path.resolve(variables.DATA_DIR));
  return variables;
}

/** The application for operator commands: no server and no routes. */
@Module({ providers: [AccountsService, PasswordHasher, KeyPairs, BulkInsert, ...IMPORT_SERVICES] })
class CliModule {}

/** Opens the store configured in the environment, even while the service runs. Logs to stderr. */
export async function withStore<T>(
  env: NodeJS.ProcessEnv,
  use: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  readVariables(env);
  const config = loadConfig(env);
  const imports = [
    SharedModule.forRoot(config, createLogger(config, process.stderr)),
    StorageModule.forRoot(config, COLLECTIONS, 'command'),
    EventEffectsModule,
  ];
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext({ module: CliModule, imports }, options);
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}
