import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program } from './program.mjs';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Limits that would end a measurement before the service is what it measures. */
export const LIMITS_OFF = { ACTIVATION_LIMIT: '0', VALIDATION_LIMIT: '0', UNKNOWN_KEY_LIMIT: '0' };

/** The service as its operator runs it: with its default log, in a file of the folder. */
export class Service extends Program {
  /** @param {string} folder also its working directory: no `.env` of the checkout is read */
  constructor(folder, env = {}, nodeOptions = []) {
    super([...nodeOptions, MAIN], {
      cwd: folder,
      env: { DATA_DIR: path.join(folder, 'data'), PORT: '0', ...env },
      log: path.join(folder, 'service.log'),
    });
  }

  /** Waits until it listens; returns its address. */
  async listening() {
    const [, url] = await this.untilPrinted(/listens on (\S+)\n/);
    return url;
  }
}
