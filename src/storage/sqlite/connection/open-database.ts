import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { makeDataFolder } from '../../../shared/config/data-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import type { AnyCollection } from '../../collection.js';
import type { OpenMode } from '../../open-mode.js';
import { isUpToDate, migrate, requireKnown } from '../migrations/migrate.js';
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

/** The open file of a store, and its ownership; a tool has none. */
export interface OpenDatabase {
  readonly database: DatabaseSyncInstance;
  readonly ownership: Ownership | undefined;
}

/**
 * Opens the store of a data folder, creates it if it is missing, and brings its schema up to date, except for a copier.
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
    if (mode !== 'tool') ownership = own(dataDir);
    const file = privateFile(dataDir, STORE_FILE);
    database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    database.exec(SETTINGS);
    const isReady = isUpToDate(database, collections);
    if (mode === 'copier' && !isReady) throw outdated(database, dataDir);
    // A tool needs the store for itself only to make it, or to bring it up to date.
    if (!isReady) ownership ??= own(dataDir);
    if (!isReady || mode === 'service') migrate(database, collections);
    database.exec(`${NEVER_BLOCK}; ${SAVEPOINTS_IN_MEMORY}`);
    if (mode === 'tool') ownership?.release();
    return { database, ownership: mode === 'tool' ? undefined : ownership };
  } catch (error) {
    database?.close();
    ownership?.release();
    throw error instanceof StartupError ? error : unusable(dataDir, error as Error);
  }
}

function outdated(database: DatabaseSyncInstance, dataDir: string): StartupError {
  requireKnown(database);
  return new StartupError(
    `The store in ${dataDir} was written by an earlier version: start the service of this version once, which ` +
      'migrates it, and stop it.',
  );
}

const unusable = (dataDir: string, cause: Error) =>
  new StartupError(
    `The store in ${dataDir} cannot be opened (${cause.message}): ` +
      'make the folder writable for this user and its files intact, or set another DATA_DIR.',
  );
