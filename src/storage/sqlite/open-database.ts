import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { makeDataFolder } from '../../shared/config/data-folder.js';
import { StartupError } from '../../shared/errors/startup-error.js';
import type { AnyCollection } from '../collection.js';
import type { OpenMode } from '../store.js';
import { bringUpToDate, isUpToDate } from './schema.js';
import { requireStoreFile } from './store-file.js';

export const STORE_FILE = 'licenses.sqlite';
const OWNER_FILE = 'licenses.sqlite-owner';

/**
 * WAL, with each commit flushed to the disk before it is acknowledged. Opening waits for another process's
 * short write. Deleted records are overwritten, so no personal data stays in the file.
 */
const SETTINGS = `
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
`;

/** Once open, waiting would block the event loop, so the commit queue waits instead. */
const NO_BUSY_TIMEOUT = 'PRAGMA busy_timeout = 0';

/** Applied after creating indexes, which may need much memory. Keeps SQLite from writing savepoint data to a file. */
const SAVEPOINTS_IN_MEMORY = 'PRAGMA temp_store = MEMORY';

/** The open file of a store, and its ownership, which commands do not have. */
export interface OpenDatabase {
  readonly database: DatabaseSyncInstance;
  readonly ownership: Ownership | undefined;
}

/**
 * Opens the store of a data folder, creating and updating it as needed. A command does so only while no
 * service owns the store.
 *
 * @throws StartupError if the folder is unusable, or if another process prevents it by using the store
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
      bringUpToDate(database, collections, mode);
    }
    database.exec(`${NO_BUSY_TIMEOUT}; ${SAVEPOINTS_IN_MEMORY}`);
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
 * For commands that only read a store and must not create one.
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

/** Proof that this process owns a store. */
export interface Ownership {
  release(): void;
}

/**
 * Takes exclusive ownership of a data folder's store, through a lock on a small file next to it that the
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

/** A file only its owner can read; SQLite gives the files next to it the same mode. */
function privateFile(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  return file;
}

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

/** Whether a statement failed because another connection holds the lock. */
export const isBusy = (error: unknown): boolean => codeOf(error) === SQLITE_BUSY;

/** Whether a statement failed because the disk is full. */
export const isFull = (error: unknown): boolean => codeOf(error) === SQLITE_FULL;

/** The upper bits of an extended code give the reason. */
function codeOf(error: unknown): number {
  const { errcode = 0 } = error as { errcode?: number };
  return errcode & 0xff;
}
