import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { makeDataFolder } from '../../../shared/config/data-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import type { AnyCollection } from '../../collection.js';
import type { OpenMode } from '../../open-mode.js';
import { isUpToDate, migrate } from '../migrations/migrate.js';
import { requireStoreFile } from './store-file.js';
import { own, privateFile, STORE_FILE, type Ownership } from './store-folder.js';

/** WAL, each commit flushed to the disk before it is acknowledged. Opening waits for another's short write. */
const SETTINGS = `
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
`;

/** Once it is open, waiting would block the event loop: the write queue waits instead. */
const NEVER_BLOCK = 'PRAGMA busy_timeout = 0';

/** After the migrations, which may need much: otherwise SQLite writes what a savepoint restores to a file. */
const SAVEPOINTS_IN_MEMORY = 'PRAGMA temp_store = MEMORY';

/** The open file of a store, and its ownership; a command has none. */
export interface OpenDatabase {
  readonly database: DatabaseSyncInstance;
  readonly ownership: Ownership | undefined;
}

/**
 * Opens the store of a data folder, creates it if it is missing, and brings its schema up to date.
 *
 * @throws StartupError where the folder cannot be used, or another process's use of the store forbids this one
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
    if (mode === 'service') migrate(database, collections);
    else if (!isUpToDate(database, collections)) migrateAlone(database, dataDir, collections);
    database.exec(`${NEVER_BLOCK}; ${SAVEPOINTS_IN_MEMORY}`);
    return { database, ownership };
  } catch (error) {
    database?.close();
    ownership?.release();
    throw error instanceof StartupError ? error : unusable(dataDir, error as Error);
  }
}

/** A command brings a store up to date only if no service of another version runs on it. */
function migrateAlone(
  database: DatabaseSyncInstance,
  dataDir: string,
  collections: readonly AnyCollection[],
): void {
  const ownership = own(dataDir);
  try {
    migrate(database, collections);
  } finally {
    ownership.release();
  }
}

const unusable = (dataDir: string, cause: Error) =>
  new StartupError(
    `The store in ${dataDir} cannot be opened (${cause.message}): ` +
      'make the folder writable for this user and its files intact, or set another DATA_DIR.',
  );
