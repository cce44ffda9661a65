import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeDataFolder } from '../../../shared/config/data-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { canUnwrap } from '../../../shared/sealing/data-keys.js';
import { own, OWNER_FILE, STORE_FILE, type Ownership } from '../connection/store-folder.js';
import { writeAtomically, PARTIAL } from './write-atomically.js';
import { type VerifiedStore, verifyStore } from './verify-store.js';

/** Files that the folder of a restored store may have: the secrets may be put there first. */
const ALLOWED = ['jwt-secret', 'license-secret', OWNER_FILE, `${OWNER_FILE}-journal`];

/**
 * Copies a backup into a data folder that has no store, and verifies the copy before it becomes the store.
 *
 * @param licenseSecrets of which one must open the data keys, if there are any
 * @param verifying is called before the copy is verified, which blocks the event loop
 * @throws StartupError where the backup is damaged, or the folder or the secrets do not fit
 */
export async function restoreStore(
  file: string,
  dataDir: string,
  licenseSecrets: readonly string[],
  verifying: () => void,
): Promise<VerifiedStore> {
  requireBackup(file);
  const leftovers = requireEmpty(dataDir);
  const ownership = makeAndOwn(dataDir);
  try {
    leftovers.forEach((name) => fs.rmSync(path.join(dataDir, name), { force: true }));
    let verified: VerifiedStore | undefined;
    await writeAtomically(path.join(dataDir, STORE_FILE), async (partial) => {
      // Not fs.copyFile, which gives the copy the mode of the backup.
      await pipeline(fs.createReadStream(file), fs.createWriteStream(partial));
      verifying();
      verified = verifyStore(partial, file);
      requireSecret(verified, licenseSecrets);
    });
    return verified!;
  } finally {
    ownership.release();
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

/** @returns the files that a killed restore has left there */
function requireEmpty(dataDir: string): string[] {
  const files = fs.existsSync(dataDir) ? fs.readdirSync(dataDir) : [];
  const isLeftover = (name: string) => name.startsWith(STORE_FILE) && name.endsWith(PARTIAL);
  const other = files.find((name) => !ALLOWED.includes(name) && !isLeftover(name));
  if (other === undefined) return files.filter(isLeftover);
  throw new StartupError(
    `${dataDir} is not empty (it has ${other}): set DATA_DIR to an empty folder, or one that has only jwt-secret and ` +
      'license-secret.',
  );
}

function makeAndOwn(dataDir: string): Ownership {
  try {
    makeDataFolder(dataDir);
    return own(dataDir);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `The data folder ${dataDir} cannot be used (${(error as NodeJS.ErrnoException).code}): set DATA_DIR to a folder ` +
        'that this user can write to.',
    );
  }
}

function requireSecret({ wrappedKeys }: VerifiedStore, licenseSecrets: readonly string[]): void {
  if (wrappedKeys === undefined || licenseSecrets.length === 0) return;
  if (canUnwrap(wrappedKeys, licenseSecrets)) return;
  throw new StartupError(
    'LICENSE_SECRET, or license-secret in DATA_DIR, does not open the backup: take the one that the service had when ' +
      'the backup was made.',
  );
}
