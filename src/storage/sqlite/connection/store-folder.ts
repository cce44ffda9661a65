import { DatabaseSync } from '@photostructure/sqlite';
import fs from 'node:fs';
import path from 'node:path';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { isBusy } from './write-transaction.js';

export const STORE_FILE = 'licenses.sqlite';
const OWNER_FILE = 'licenses.sqlite-owner';

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

/** That this process owns a store. */
export interface Ownership {
  release(): void;
}

/**
 * Takes the store of a data folder for this process alone: by an exclusive lock on a small file beside the store, which the
 * system releases at once however the process ends.
 *
 * @throws StartupError where another process owns the store
 */
export function own(dataDir: string): Ownership {
  const lock = new DatabaseSync(privateFile(dataDir, OWNER_FILE));
  try {
    // The write fails on a read-only file, where the lock would exclude nobody.
    lock.exec('BEGIN EXCLUSIVE; PRAGMA user_version = 1');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new StartupError(
      `Another process is using the store in ${dataDir}: stop it, or set another DATA_DIR.`,
    );
  }
  return { release: () => lock.close() };
}

/** A file that its owner alone can read, as SQLite's own files beside it then are, too. */
export function privateFile(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  return file;
}
