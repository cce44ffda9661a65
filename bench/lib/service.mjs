import path from 'node:path';
import { fileURLToPath } from 'node:url';
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

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The service as an operator runs it, with the default log level; its log is a file in the folder. */
export class Service extends Program {
  /** @param {string} folder also its working directory: no `.env` of the checkout is read */
  constructor(folder, env = {}, nodeOptions = []) {
    super([...nodeOptions, ...START_ARGUMENTS], { cwd: folder, ...surroundings(folder, env) });
  }

  /** Waits until it listens; returns its address. */
  listening() {
    return addressOf(this);
  }
}

/** `npm start`: a process of npm, whose child is the service. */
export class NpmStart extends Program {
  /** @param {string} folder for its data and its log */
  constructor(folder) {
    super([process.env.npm_execpath, 'start'], { cwd: ROOT, ...surroundings(folder, {}) });
  }

  /** Waits until the service listens; returns its address. */
  listening() {
    return addressOf(this);
  }
}

function surroundings(folder, env) {
  return {
    // No client waits for the end of what was measured.
    env: { DATA_DIR: path.join(folder, 'data'), PORT: '0', SHUTDOWN_DRAIN: '0', ...env },
    log: path.join(folder, 'service.log'),
  };
}

async function addressOf(program) {
  const [, url] = await program.untilPrinted(/listens on (\S+)\n/);
  return url;
}
