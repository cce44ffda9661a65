import fs from 'node:fs';
import path from 'node:path';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { ownStore, type Ownership } from './store-owner.js';

export const STORE_FILE = 'licenses.sqlite';
export const OWNER_FILE = 'licenses.sqlite-owner';

/**
 * Commands that only read a store must not create one.
 *
 * @returns the file of the store
 * @throws StartupError where it is missing
 */
export function requireStore(dataDir: string): string {
  const file = path.join(dataDir, STORE_FILE);
  if (fs.existsSync(file)) return file;
  throw new StartupError(
    `There is no store in ${dataDir}: set DATA_DIR to the folder that has ${STORE_FILE}.`,
  );
}

/** @throws StartupError where another process owns the store of a data folder */
export function own(dataDir: string): Ownership {
  const ownership = ownStore(privateFile(dataDir, OWNER_FILE));
  if (ownership) return ownership;
  throw new StartupError(
    `Another process is using the store in ${dataDir}: stop it, or set another DATA_DIR.`,
  );
}

/** A file that its owner alone can read, as SQLite's own files beside it then are, too. */
export function privateFile(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  return file;
}
