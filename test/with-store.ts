import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CliModule } from '../src/cli/cli.module.js';
import { loadConfig } from '../src/shared/config/load-config.js';
import { createLogger } from '../src/shared/logging/logger.js';
import { Store } from '../src/storage/store.js';

/**
 * Opens the store of a built service while it is used, as the commands of an operator do.
 *
 * @param env as the service has it
 */
export async function withStore<T>(
  env: NodeJS.ProcessEnv,
  use: (store: Store, context: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const module = CliModule.forRoot(
    loadConfig(env),
    createLogger({ logLevel: 'silent' }, process.stderr),
    'command',
  );
  const context = await NestFactory.createApplicationContext(module, { logger: false });
  try {
    return await use(context.get(Store), context);
  } finally {
    await context.close();
  }
}
