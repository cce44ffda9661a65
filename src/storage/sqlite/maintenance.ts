import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { StartupError } from '../../shared/errors/startup-error.js';
import { own, requireStore, STORE_FILE } from './open-database.js';
import { requireKnown } from './schema.js';
import { requireStoreFile } from './store-file.js';

/** The size of a store's file, in bytes. */
interface Sizes {
  readonly before: number;
  readonly after: number;
}

/**
 * Rewrites the store of a data folder without free pages. If it is interrupted, the store is unchanged.
 *
 * @throws StartupError if there is no store, a service uses it, or the disk is full
 */
export function compactStore(dataDir: string): Sizes {
  const file = requireStore(dataDir);
  const ownership = own(dataDir);
  const before = fs.statSync(file).size;
  let database;
  try {
    database = new DatabaseSync(file);
    database.exec('PRAGMA busy_timeout = 5000; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    throw new StartupError(
      `The store ${file} cannot be compacted (${(error as Error).message}). It is unchanged.`,
    );
  } finally {
    database?.close();
    ownership.release();
  }
  return { before, after: fs.statSync(file).size };
}

/**
 * Runs work during which no service may use the store.
 *
 * @throws StartupError if a service uses it
 */
export async function whileStopped<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const ownership = own(dataDir);
  try {
    return await work();
  } finally {
    ownership.release();
  }
}

/** The store of a data folder, inspected without opening it. */
export interface StoreSummary {
  readonly file: string;
  readonly bytes: number;
  /** The wrapped data keys; undefined before the first start has completed. */
  readonly dataKeys: string | undefined;
}

/**
 * Reads the store of a data folder without changing it; undefined if there is none.
 *
 * @throws StartupError if it cannot be read, or a newer version has migrated it
 */
export function inspectStore(dataDir: string): StoreSummary | undefined {
  const file = path.join(dataDir, STORE_FILE);
  if (!fs.existsSync(file)) return undefined;
  let database;
  try {
    requireStoreFile(file);
    database = new DatabaseSync(file, { readOnly: true });
    requireKnown(database);
    const select = database.prepare("SELECT value FROM deployment WHERE _id = 'data-keys'");
    const { value } = (select.get() ?? {}) as { value?: string };
    return { file, bytes: fs.statSync(file).size, dataKeys: value };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`The store ${file} cannot be read (${(error as Error).message}).`);
  } finally {
    database?.close();
  }
}
