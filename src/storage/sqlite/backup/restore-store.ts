import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeDataFolder } from '../../../shared/config/data-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { canUnwrap } from '../../../shared/sealing/data-keys.js';
import { PARTIAL, writeNewFile } from '../../../shared/write-new-file.js';
import { STORE_FILE } from '../connection/store-folder.js';
import { type VerifiedStore, verifyStore } from './verify-store.js';

/** Files that the folder of a restored store may have: the secrets may be put there first. */
const ALLOWED = ['jwt-secret', 'license-secret'];

/**
 * Copies a backup into a data folder that has no store, and verifies the copy before it becomes the store.
 *
 * @param licenseSecrets one of them must open the data keys, if there are any
 * @throws StartupError if the backup is damaged, or the folder or the secrets do not fit
 */
export async function restoreStore(
  file: string,
  dataDir: string,
  licenseSecrets: readonly string[],
): Promise<VerifiedStore> {
  requireBackup(file);
  emptyFolder(dataDir);
  return writeNewFile(path.join(dataDir, STORE_FILE), async (partial) => {
    // Not fs.copyFile, which gives the copy the mode of the backup.
    await pipeline(fs.createReadStream(file), fs.createWriteStream(partial));
    const verified = verifyStore(partial, file);
    requireSecret(verified, licenseSecrets);
    return verified;
  });
}

function requireBackup(file: string): void {
  try {
    const descriptor = fs.openSync(file, 'r');
    // A folder can be opened, but not read.
    fs.readSync(descriptor, Buffer.alloc(1));
    fs.closeSync(descriptor);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(`${file} cannot be read (${code}): name a backup of the store.`);
  }
  const log = fs.statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log && log.size > 0) {
    throw new StartupError(
      `${file} was copied while it was written, and its latest writes are in ${file}-wal: take a file that ` +
        'npm run backup has made.',
    );
  }
}

/** Makes the folder, and removes what a killed restore has left there. */
function emptyFolder(dataDir: string): void {
  try {
    makeDataFolder(dataDir);
  } catch (error) {
    throw new StartupError(
      `The data folder ${dataDir} cannot be used (${(error as NodeJS.ErrnoException).code}): set DATA_DIR to a folder ` +
        'that this user can write to.',
    );
  }
  const isLeftover = (name: string) => name.startsWith(STORE_FILE) && name.endsWith(PARTIAL);
  const names = fs.readdirSync(dataDir).filter((name) => !ALLOWED.includes(name));
  const other = names.find((name) => !isLeftover(name));
  if (other !== undefined) {
    throw new StartupError(
      `${dataDir} is not empty (it has ${other}): set DATA_DIR to an empty folder, or one that has only jwt-secret and ` +
        'license-secret.',
    );
  }
  names.forEach((name) => fs.rmSync(path.join(dataDir, name)));
}

function requireSecret({ wrappedKeys }: VerifiedStore, licenseSecrets: readonly string[]): void {
  if (wrappedKeys === undefined || licenseSecrets.length === 0) return;
  if (canUnwrap(wrappedKeys, licenseSecrets)) return;
  throw new StartupError(
    'LICENSE_SECRET, or license-secret in DATA_DIR, does not open the backup: take the one that the service had when ' +
      'the backup was made.',
  );
}
