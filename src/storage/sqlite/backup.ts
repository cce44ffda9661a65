import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { commandLine } from '../../shared/config/command-line.js';
import { makeDataFolder } from '../../shared/config/data-folder.js';
import { StartupError } from '../../shared/errors/startup-error.js';
import { PARTIAL, writeNewFile } from '../../shared/write-new-file.js';
import { lastBackupOf } from '../store-metrics.js';
import { requireStore, STORE_FILE } from './open-database.js';
import { requireKnown } from './schema.js';

/** The size of a written backup in bytes, and its schema version. */
export interface Backup {
  readonly bytes: number;
  readonly schema: number;
}

/**
 * Copies the store of a data folder as of one moment to a new file, and verifies the copy. Does not block the running
 * service's reads and writes.
 *
 * @throws StartupError if there is no store, or the copy cannot be written or is damaged
 */
export async function backUpStore(dataDir: string, file: string): Promise<Backup> {
  const store = requireStore(dataDir);
  const schema = await writeNewFile(file, (partial) => {
    copy(store, partial);
    return verifyStore(partial, `The store in ${dataDir}`);
  });
  return { schema, bytes: fs.statSync(file).size };
}

/** Records when the last backup was complete, for the metrics. */
export const markBackup = (dataDir: string): void =>
  fs.writeFileSync(lastBackupOf(path.join(dataDir, STORE_FILE)), '', { mode: 0o600 });

/** SQLITE_IOERR and SQLITE_FULL: the copy cannot be written. */
const WRITE_ERRORS = [10, 13];

function copy(store: string, partial: string): void {
  let database: DatabaseSyncInstance | undefined;
  try {
    database = new DatabaseSync(store);
    database.exec('PRAGMA busy_timeout = 5000');
    // Unlike a copy of the pages, it contains no remains of deleted data.
    database.prepare('VACUUM INTO ?').run(partial);
  } catch (error) {
    const { errcode = 0, message } = error as Error & { errcode?: number };
    if (WRITE_ERRORS.includes(errcode & 0xff)) throw error;
    throw new StartupError(
      `The store ${store} cannot be read (${message}). Run the command as the user of the service. If the store is ` +
        'damaged, restore a backup.',
    );
  } finally {
    database?.close();
    fs.rmSync(`${partial}-journal`, { force: true });
  }
}

/** Files allowed in the folder of a restored store, because the secrets may be placed there first. */
const ALLOWED = ['jwt-secret', 'license-secret'];

/**
 * Copies a backup into a data folder without a store, and verifies the copy before it becomes the store.
 *
 * @param changes the changes to the copy: a statement for each of these tables that exists
 * @returns its schema version
 * @throws StartupError if the backup is damaged or the folder has other files
 */
export async function restoreStore(
  file: string,
  dataDir: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<number> {
  requireBackup(file);
  emptyFolder(dataDir);
  return writeNewFile(path.join(dataDir, STORE_FILE), async (partial) => {
    // Not fs.copyFile, because it copies the mode of the backup.
    await pipeline(fs.createReadStream(file), fs.createWriteStream(partial));
    const schema = verifyStore(partial, file);
    changeCopy(partial, changes);
    return schema;
  });
}

function changeCopy(partial: string, changes: Readonly<Record<string, string>>): void {
  const database = new DatabaseSync(partial);
  try {
    // Leaves no other file next to the copy.
    database.exec('PRAGMA journal_mode = DELETE');
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables as { name: string }[]) database.exec(changes[name] ?? '');
  } finally {
    database.close();
  }
}

function requireBackup(file: string): void {
  try {
    const descriptor = fs.openSync(file, 'r');
    // A folder can be opened, but not read.
    fs.readSync(descriptor, Buffer.alloc(1));
    fs.closeSync(descriptor);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(`${file} cannot be read (${code}). Choose a backup of the store.`);
  }
  const log = fs.statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log && log.size > 0) {
    throw new StartupError(
      `${file} was copied while it was in use, so its latest writes are in ${file}-wal. Use a file made by ` +
        `${commandLine('backup')}.`,
    );
  }
}

/** Creates the folder and removes leftovers of a killed restore. */
function emptyFolder(dataDir: string): void {
  try {
    makeDataFolder(dataDir);
  } catch (error) {
    throw new StartupError(
      `The data folder ${dataDir} cannot be used (${(error as NodeJS.ErrnoException).code}). Set DATA_DIR to a folder ` +
        'that this user can write to.',
    );
  }
  const isLeftover = (name: string) => name.startsWith(STORE_FILE) && name.endsWith(PARTIAL);
  const names = fs.readdirSync(dataDir).filter((name) => !ALLOWED.includes(name));
  const other = names.find((name) => !isLeftover(name));
  if (other !== undefined) {
    throw new StartupError(
      `${dataDir} is not empty (it contains ${other}). Set DATA_DIR to an empty folder or one that contains only jwt-secret and ` +
        'license-secret.',
    );
  }
  names.forEach((name) => fs.rmSync(path.join(dataDir, name)));
}

/**
 * Opens a file that no other process writes to, and fully checks its structure, indexes and schema.
 *
 * @param name the name of the store, for the operator
 * @returns its schema version
 * @throws StartupError unless it is an intact store that this version can open
 */
export function verifyStore(file: string, name: string): number {
  const url = pathToFileURL(file);
  // Otherwise SQLite would create -wal and -shm files next to it.
  url.searchParams.set('immutable', '1');
  let database: DatabaseSyncInstance | undefined;
  try {
    database = new DatabaseSync(url, { readOnly: true });
    const check = database.prepare('PRAGMA integrity_check(1)').get() as {
      integrity_check: string;
    };
    const found = check.integrity_check;
    if (found !== 'ok') throw damaged(name, found.replace(/^\*\*\*.+\n/, ''));
    const schema = requireKnown(database, name);
    if (schema === 0) throw damaged(name, 'it has no records of this service');
    return schema;
  } catch (error) {
    throw error instanceof StartupError ? error : damaged(name, (error as Error).message);
  } finally {
    database?.close();
  }
}

const damaged = (name: string, why: string) =>
  new StartupError(`${name} is damaged or not a store (${why}). Use another backup.`);
