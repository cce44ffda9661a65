import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program } from './program.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
/** What `npm start` gives to node. */
const [, FLAGS, MAIN] = /^exec node (.*?) (\S+\.js) /.exec(scripts.start);

/** Limits that would end a measurement before the service is what it measures. */
export const LIMITS_OFF = {
  ACTIVATION_LIMIT: '0',
  VALIDATION_LIMIT: '0',
  VALIDATION_ADDRESS_LIMIT: '0',
  UNKNOWN_KEY_LIMIT: '0',
  WRITE_LIMIT: '0',
  LICENSE_QUOTA: '0',
};

/** The service as its operator runs it: with its default log, in a file of the folder. */
export class Service extends Program {
  /** @param {string} folder also its working directory: no `.env` of the checkout is read */
  constructor(folder, env = {}, nodeOptions = []) {
    super([...nodeOptions, ...FLAGS.split(' '), path.join(ROOT, MAIN)], {
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
