import type { INestApplicationContext } from '@nestjs/common';
import { withStore as withStoreOf } from '../src/cli/with-store.js';
import { WritableStore } from '../src/storage/writable-store.js';

/**
 * Opens the store of a built service for a function, like operator commands.
 *
 * @param env the service's environment
 */
export const withStore = <T>(
  env: NodeJS.ProcessEnv,
  use: (store: WritableStore, context: INestApplicationContext) => Promise<T>,
): Promise<T> =>
  withStoreOf({ ...env, LOG_LEVEL: 'silent' }, (app) => use(app.get(WritableStore), app));
