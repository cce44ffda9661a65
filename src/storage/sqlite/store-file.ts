import fs from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { StartupError } from '../../shared/errors/startup-error.js';
import { createOnce } from '../../shared/write-new-file.js';

/** Identifies the stores of this service in SQLite's header: "LMSS" in ASCII. */
const APPLICATION_ID = 0x4c4d5353;
const OFFSET = 68;

/**
 * Creates the file of a store if it is missing.
 *
 * @throws StartupError if it is empty or belongs to another program, because as a new store it would accept
 *   anyone's first account
 */
export function requireStoreFile(file: string): void {
  if (!fs.existsSync(file)) createStoreFile(file);
  const header = Buffer.alloc(OFFSET + 4);
  const descriptor = fs.openSync(file, 'r');
  const length = fs.readSync(descriptor, header);
  fs.closeSync(descriptor);
  if (length === 0) {
    throw new StartupError(
      `The store ${file} is empty. Restore a backup, or delete the file to start with a new store.`,
    );
  }
  if (header.readUInt32BE(OFFSET) !== APPLICATION_ID) {
    throw new StartupError(
      `${file} is not a store of this service. Restore a backup, move the file away or set a different DATA_DIR.`,
    );
  }
}

/** Creates a store without tables. The file is marked before it gets its name, so a killed start never leaves an unmarked one. */
export const createStoreFile = (file: string): void =>
  createOnce(file, (partial) => {
    const database = new DatabaseSync(partial);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.close();
  });
