import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { syncFolder } from '../../shared/config/data-folder.js';
import { StartupError } from '../../shared/errors/startup-error.js';
import { PARTIAL } from '../../shared/write-new-file.js';

/** Marks the stores of this service, in SQLite's header: "LMSS" in ASCII. */
const APPLICATION_ID = 0x4c4d5353;
const OFFSET = 68;

/**
 * Creates the file of a store if it is missing.
 *
 * @throws StartupError if it is empty, or not of this service: it would be taken for a new store, whose first account is anybody's
 */
export function requireStoreFile(file: string): void {
  if (!fs.existsSync(file)) createStoreFile(file);
  const header = Buffer.alloc(OFFSET + 4);
  const descriptor = fs.openSync(file, 'r');
  const length = fs.readSync(descriptor, header);
  fs.closeSync(descriptor);
  if (length === 0) {
    throw new StartupError(
      `The store ${file} is empty: restore a backup, or delete the file to begin a new store.`,
    );
  }
  if (header.readUInt32BE(OFFSET) !== APPLICATION_ID) {
    throw new StartupError(
      `${file} is not a store of this service: restore a backup, move the file away, or set another DATA_DIR.`,
    );
  }
}

/** Creates a store without tables. The file has its mark before its name, so no start that is killed leaves one without. */
export function createStoreFile(file: string): void {
  const partial = `${file}.${randomUUID()}${PARTIAL}`;
  try {
    fs.writeFileSync(partial, '', { flag: 'wx', mode: 0o600 });
    const database = new DatabaseSync(partial);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.close();
    // A link never replaces a file: another process may have created it.
    fs.linkSync(partial, file);
    syncFolder(path.dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(partial, { force: true });
  }
}
