import fs from 'node:fs';
import { StartupError } from '../errors/startup-error.js';

/**
 * Loads `.env` of the working folder into the environment, if it exists. Variables that are set keep their values.
 *
 * @throws StartupError if it cannot be read
 */
export function loadDotEnv(): void {
  if (!fs.existsSync('.env')) return;
  try {
    process.loadEnvFile('.env');
  } catch {
    throw new StartupError('.env cannot be read: make it a text file that this user can read.');
  }
}
