import fs from 'node:fs';
import { StartupError } from '../errors/startup-error.js';

/**
 * Reads `.env` of the working folder into the environment, where there is one. What is set already stays.
 *
 * @throws StartupError where it cannot be read
 */
export function loadDotEnv(): void {
  if (!fs.existsSync('.env')) return;
  try {
    process.loadEnvFile('.env');
  } catch {
    throw new StartupError('.env cannot be read: make it a text file that this user can read.');
  }
}
