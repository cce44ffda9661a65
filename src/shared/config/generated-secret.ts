import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeDataFolder } from './data-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { createOnce } from '../write-new-file.js';

type SecretName = 'JWT_SECRET' | 'LICENSE_SECRET';

/** The file in the data folder that holds a secret. */
export const secretFile = (dataDir: string, name: SecretName): string =>
  path.join(dataDir, name.toLowerCase().replace('_', '-'));

/**
 * The secret this deployment generated on first start: 48 random bytes, base64url, in a file in the data
 * folder that only its owner can read. It is on disk before it is returned.
 *
 * @throws StartupError if the folder is not writable or the file does not contain a secret
 */
export function generatedSecret(dataDir: string, name: SecretName): string {
  const file = secretFile(dataDir, name);
  try {
    makeDataFolder(dataDir);
    if (!fs.existsSync(file)) {
      requireNoStore(dataDir, name, file);
      const secret = randomBytes(48).toString('base64url');
      createOnce(file, (partial) => fs.writeFileSync(partial, `${secret}\n`));
    }
  } catch (error) {
    throw error instanceof StartupError ? error : unusable(file, error);
  }
  return readSecret(file, name);
}

/**
 * The secret in a data folder; undefined if there is none.
 *
 * @throws StartupError if the file cannot be read or does not contain a secret
 */
export function keptSecret(dataDir: string, name: SecretName): string | undefined {
  const file = secretFile(dataDir, name);
  return fs.existsSync(file) ? readSecret(file, name) : undefined;
}

function readSecret(file: string, name: SecretName): string {
  let secret;
  try {
    secret = fs.readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw unusable(file, error);
  }
  if (secret.length >= 32) return secret;
  throw new StartupError(
    `${file} does not contain a secret. Restore it from a backup or set ${name}.`,
  );
}

function unusable(file: string, error: unknown): StartupError {
  const { code } = error as NodeJS.ErrnoException;
  const remedy =
    code === 'EISDIR'
      ? 'It is a folder. Remove it, and restore the file from a backup.'
      : 'Make it and its folder accessible to this user, or set DATA_DIR to a different folder.';
  return new StartupError(`${file} cannot be read or written (${code}). ${remedy}`);
}

/** A new license secret could not open an existing store. */
function requireNoStore(dataDir: string, name: SecretName, file: string): void {
  if (name !== 'LICENSE_SECRET' || !fs.existsSync(path.join(dataDir, 'licenses.sqlite'))) return;
  throw new StartupError(
    `${file} is missing, and the store next to it needs it. Restore the file, or set LICENSE_SECRET to its text.`,
  );
}
