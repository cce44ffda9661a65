import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { makeDataFolder } from '../../shared/config/data-folder.js';
import { StartupError } from '../../shared/errors/startup-error.js';
import type { AnyCollection } from '../collection.js';
import type { OpenMode } from '../store.js';
import { bringUpToDate, isUpToDate } from './schema.js';
import { requireStoreFile } from './store-file.js';
import { isBusy } from './write-transaction.js';

export const STORE_FILE = 'licenses.sqlite';
const OWNER_FILE = 'licenses.sqlite-owner';

/** WAL, each commit flushed to the disk before it is acknowledged. Opening waits for another's short write. */
const SETTINGS = `
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
`;

/** Once it is open, waiting would block the event loop: the commit queue waits instead. */
const NEVER_BLOCK = 'PRAGMA busy_timeout = 0';

/** After the indexes, which may need much: otherwise SQLite writes what a savepoint restores to a file. */
const SAVEPOINTS_IN_MEMORY = 'PRAGMA temp_store = MEMORY';

/** The open file of a store, and its ownership; a command has none. */
export interface OpenDatabase {
  readonly database: DatabaseSyncInstance;
  readonly ownership: Ownership | undefined;
}

/**
 * Opens the store of a data folder, creates it if it is missing, and brings it up to date. A command does so only
 * while no service has the store.
 *
 * @throws StartupError if the folder cannot be used, or another process's use of the store forbids this one
 */
export function openDatabase(
  dataDir: string,
  collections: readonly AnyCollection[],
  mode: OpenMode,
): OpenDatabase {
  let ownership: Ownership | undefined;
  let database: DatabaseSyncInstance | undefined;
  try {
    makeDataFolder(dataDir);
    if (mode === 'service') ownership = own(dataDir);
    requireStoreFile(path.join(dataDir, STORE_FILE));
    const file = privateFile(dataDir, STORE_FILE);
    database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    database.exec(SETTINGS);
    if (!isUpToDate(database, collections)) {
      ownership ??= own(dataDir);
      bringUpToDate(database, collections);
    }
    database.exec(`${NEVER_BLOCK}; ${SAVEPOINTS_IN_MEMORY}`);
    if (mode === 'service') return { database, ownership };
    ownership?.release();
    return { database, ownership: undefined };
  } catch (error) {
    database?.close();
    ownership?.release();
    throw error instanceof StartupError ? error : unusable(dataDir, error as Error);
  }
}

const unusable = (dataDir: string, cause: Error) =>
  new StartupError(
    `The store in ${dataDir} cannot be opened (${cause.message}). ` +
      'Make sure that this user can write to the folder and that its files are intact, or set a different DATA_DIR.',
  );

/**
 * Commands that only read a store must not create one.
 *
 * @returns the file of the store
 * @throws StartupError if it is missing
 */
export function requireStore(dataDir: string): string {
  const file = path.join(dataDir, STORE_FILE);
  if (fs.existsSync(file)) return file;
  throw new StartupError(
    `There is no store in ${dataDir}. Set DATA_DIR to the folder that contains ${STORE_FILE}.`,
  );
}

/** That this process owns a store. */
export interface Ownership {
  release(): void;
}

/**
 * Takes the store of a data folder for this process alone: by an exclusive lock on a small file beside the store, which the
 * system releases however the process ends.
 *
 * @throws StartupError if another process owns the store
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
      `Another process is using the store in ${dataDir}. Stop it or set a different DATA_DIR.`,
    );
  }
  return { release: () => lock.close() };
}

/** A file that its owner alone can read, as SQLite's own files beside it then are, too. */
function privateFile(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  return file;
}
