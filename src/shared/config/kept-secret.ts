import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeDataFolder } from './data-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { createOnce } from '../write-new-file.js';

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
    if (!fs.existsSync(file)) {
      const secret = randomBytes(48).toString('base64url');
      createOnce(file, (partial) => fs.writeFileSync(partial, `${secret}\n`));
    }
    const secret = fs.readFileSync(file, 'utf8').trim();
    if (secret.length >= 32) return secret;
  } catch (error) {
    throw new StartupError(
      `The data folder ${dataDir} cannot be used (${(error as NodeJS.ErrnoException).code}). ` +
        'Make it a folder that this user can write to, or set DATA_DIR to one.',
    );
  }
  throw new StartupError(
    `${file} does not contain a secret. Restore it from a backup or set ${name}.`,
  );
}
