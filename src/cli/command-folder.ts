import fs from 'node:fs';
import path from 'node:path';
import { type Environment, readEnvironment } from '../shared/config/environment.js';
import { keptSecret, secretFile } from '../shared/config/kept-secret.js';

/** The data folder of a command that makes neither a store nor secrets there. */
export interface CommandFolder {
  readonly variables: Environment;
  readonly dataDir: string;
  /** The secrets that may open the data keys, from the variables or the folder. */
  readonly licenseSecrets: readonly string[];
}

/** @throws StartupError if a variable is invalid, or a secret cannot be read */
export function readCommandFolder(env: NodeJS.ProcessEnv): CommandFolder {
  const variables = readEnvironment(env);
  const dataDir = path.resolve(variables.DATA_DIR);
  const { LICENSE_SECRET, LICENSE_SECRET_PREVIOUS } = variables;
  const isKept = fs.existsSync(secretFile(dataDir, 'LICENSE_SECRET'));
  const current = LICENSE_SECRET ?? (isKept ? keptSecret(dataDir, 'LICENSE_SECRET') : undefined);
  const licenseSecrets = [current, LICENSE_SECRET_PREVIOUS].filter((one) => one !== undefined);
  return { variables, dataDir, licenseSecrets };
}
