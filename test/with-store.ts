import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CliModule } from '../src/cli/cli.module.js';
import { loadConfig } from '../src/shared/config/load-config.js';
import { createLogger } from '../src/shared/logging/logger.js';
import type { OpenMode } from '../src/storage/open-mode.js';
import { WritableStore } from '../src/storage/writable-store.js';

/**
 * Opens the store of a built service while it is used, as the commands of an operator do.
 *
 * @param env as the service has it
 * @param mode `exclusive tool` where the service does not run, and records that it caches are changed
 */
export async function withStore<T>(
  env: NodeJS.ProcessEnv,
  use: (store: WritableStore, context: INestApplicationContext) => Promise<T>,
  mode: OpenMode = 'tool',
): Promise<T> {
  const module = CliModule.forRoot(
    loadConfig(env),
    createLogger({ logLevel: 'silent' }, process.stderr),
    mode,
  );
  const context = await NestFactory.createApplicationContext(module, { logger: false });
  try {
    return await use(context.get(WritableStore), context);
  } finally {
    await context.close();
  }
}
