import path from 'node:path';
import { Program } from './program.mjs';
import { START_ARGUMENTS } from './start-arguments.mjs';

/** Turns off the limits that a measurement would reach. */
export const LIMITS_OFF = {
  ACTIVATION_LIMIT: '0',
  VALIDATION_LIMIT: '0',
  VALIDATION_ADDRESS_LIMIT: '0',
  UNKNOWN_KEY_LIMIT: '0',
  WRITE_LIMIT: '0',
  LICENSE_QUOTA: '0',
};

/** The service as an operator runs it, with the default log level; its log is a file in the folder. */
export class Service extends Program {
  /** @param {string} folder also its working directory: no `.env` of the checkout is read */
  constructor(folder, env = {}, nodeOptions = []) {
    super([...nodeOptions, ...START_ARGUMENTS], {
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
