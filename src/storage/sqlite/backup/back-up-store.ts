import { DatabaseSync } from '@photostructure/sqlite';
import fs from 'node:fs';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { writeNewFile } from '../../../shared/write-new-file.js';
import { requireStore } from '../connection/store-folder.js';
import { type VerifiedStore, verifyStore } from './verify-store.js';

/** A written backup: its size in bytes, and what was verified. */
export interface Backup extends VerifiedStore {
  readonly bytes: number;
}

/**
 * Copies the store of a data folder as of one moment to a new file, and verifies the copy. While the service runs, neither its
 * reads nor its writes wait for it.
 *
 * @throws StartupError if there is no store, or the copy cannot be written or is damaged
 */
export async function backUpStore(dataDir: string, file: string): Promise<Backup> {
  const store = requireStore(dataDir);
  const verified = await writeNewFile(file, (partial) => {
    copy(store, partial);
    return verifyStore(partial, `The store in ${dataDir}`);
  });
  return { ...verified, bytes: fs.statSync(file).size };
}

/** SQLITE_IOERR and SQLITE_FULL: the copy cannot be written. */
const WRITE_ERRORS = [10, 13];

function copy(store: string, partial: string): void {
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(store);
    database.exec('PRAGMA busy_timeout = 5000');
    // Unlike a copy of the pages, it has nothing left of what was deleted.
    database.prepare('VACUUM INTO ?').run(partial);
  } catch (error) {
    const { errcode = 0, message } = error as Error & { errcode?: number };
    if (WRITE_ERRORS.includes(errcode & 0xff)) throw error;
    throw new StartupError(
      `The store ${store} cannot be read (${message}): run the command as the user of the service. If the store is ` +
        'damaged, restore a backup.',
    );
  } finally {
    database?.close();
    fs.rmSync(`${partial}-journal`, { force: true });
  }
}
