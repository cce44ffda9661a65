import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { makeDataFolder, syncFolder } from './data-folder.js';
import { StartupError } from '../errors/startup-error.js';

type SecretName = 'JWT_SECRET' | 'LICENSE_SECRET';

/** The file of the data folder that holds a secret. */
export const secretFile = (dataDir: string, name: SecretName): string =>
  path.join(dataDir, name.toLowerCase().replace('_', '-'));

/**
 * The secret that this deployment generated at its first start: 48 random bytes, base64url, in a file of the
 * data folder that only its owner can read. It is on disk before it is returned.
 *
 * @throws StartupError if the folder cannot be written to, or the file holds no secret
 */
export function keptSecret(dataDir: string, name: SecretName): string {
  const file = secretFile(dataDir, name);
  try {
    makeDataFolder(dataDir);
    if (!fs.existsSync(file)) makeSecret(dataDir, file);
    const secret = fs.readFileSync(file, 'utf8').trim();
    if (secret.length >= 32) return secret;
  } catch (error) {
    throw new StartupError(
      `The data folder ${dataDir} cannot be used (${(error as NodeJS.ErrnoException).code}): ` +
        'make it a folder that this user can write to, or set DATA_DIR to one.',
    );
  }
  throw new StartupError(`${file} holds no secret: restore it from a backup, or set ${name}.`);
}

function makeSecret(dataDir: string, file: string): void {
  const lockFile = `${file}.lock`;
  const draft = `${file}.new`;
  fs.closeSync(fs.openSync(lockFile, 'a', 0o600));
  const lock = new DatabaseSync(lockFile);
  try {
    // The system releases the lock of a process that is killed, so a draft that is found here is nobody's.
    lock.exec('PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE');
    if (fs.existsSync(file)) return;
    fs.rmSync(draft, { force: true });
    const secret = `${randomBytes(48).toString('base64url')}\n`;
    fs.writeFileSync(draft, secret, { mode: 0o600, flag: 'wx', flush: true });
    fs.renameSync(draft, file);
    syncFolder(dataDir);
  } catch (error) {
    // SQLite reports the removal of a file that it waits for.
    if (!fs.existsSync(file)) throw error;
  } finally {
    lock.close();
    if (fs.existsSync(file)) fs.rmSync(lockFile, { force: true });
  }
}
