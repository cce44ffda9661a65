import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { JwtService } from '@nestjs/jwt';
import { jwtOptions } from '../../build/auth/access-tokens/access-token.js';
import { AccessTokenService } from '../../build/auth/access-tokens/access-token.service.js';
import { loadConfig } from '../../build/shared/config/load-config.js';
import { SystemClock } from '../../build/shared/time/clock.js';
import { Fill } from './fill.mjs';
import { Program } from './program.mjs';
import { START_ARGUMENTS } from './start-arguments.mjs';

/** Turns off the limits that a measurement would reach. */
export const LIMITS_OFF = {
  ACTIVATION_LIMIT: '0',
  VALIDATION_LIMIT: '0',
  VALIDATION_ADDRESS_LIMIT: '0',
  GUESS_LIMIT: '0',
  WRITE_LIMIT: '0',
  LICENSE_QUOTA: '0',
};

/** The service as an operator runs it, with the default log level, on a store that is filled before it starts. */
export class Deployment {
  #folder;
  #instances = [];

  /**
   * Fills a new store: a database of a MongoDB server, or one on SQLite.
   *
   * @param {object} options
   * @param {string} options.folder for its data and logs
   * @param {string} [options.uri] of the MongoDB server
   * @param {string} [options.name] tells it from others of the folder and the server
   * @param {object} [options.env] of the instances
   * @param {(store: Fill) => Promise<object>} fill `filled` is what it returns
   */
  static async fill({ folder, uri, name = uri ? 'mongo' : 'sqlite', env = LIMITS_OFF }, fill) {
    const deployment = new Deployment();
    deployment.#folder = path.join(folder, name);
    fs.mkdirSync(deployment.#folder);
    deployment.env = {
      // No client waits for the end of what was measured.
      ...{ DATA_DIR: path.join(deployment.#folder, 'data'), PORT: '0', SHUTDOWN_DRAIN: '0' },
      ...{ JWT_SECRET: secret(), LICENSE_SECRET: secret(), ...env },
      ...(uri && { MONGODB_URI: new URL(`/${name}${new URL(uri).search}`, uri).href }),
    };
    const store = await Fill.open(deployment.env);
    deployment.world = store.world;
    deployment.filled = await fill(store);
    await store.end();
    return deployment;
  }

  /**
   * Starts instances in processes of their own. Their working directory is a new folder, so no `.env` of the checkout is read.
   *
   * @param {object} [options]
   * @param {number} [options.instances]
   * @param {string[]} [options.args] of node
   * @param {string} [options.cwd]
   * @returns their addresses, once all of them listen
   */
  start({ instances = 1, args = START_ARGUMENTS, cwd = this.#folder } = {}) {
    const options = { cwd, env: this.env, log: path.join(this.#folder, 'service.log') };
    this.#instances = Array.from({ length: instances }, () => new Program(args, options));
    return Promise.all(
      this.#instances.map(async (one) => (await one.untilPrinted(/listens on (\S+)\n/))[1]),
    );
  }

  /** An access token for each account. */
  tokens(accounts) {
    const jwt = new JwtService(jwtOptions(loadConfig(this.env)));
    const tokens = new AccessTokenService(jwt, new SystemClock());
    return accounts.map(({ _id }) => tokens.issue({ _id, user: _id, accountId: _id }));
  }

  /** As {@link Program.cpu}, of the first instance. */
  cpu() {
    return this.#instances[0].cpu();
  }

  /** As {@link Program.memory}, of the first instance. */
  memory() {
    return this.#instances[0].memory();
  }

  /** Ends the instances. They may be started again. */
  async end() {
    await Promise.all(this.#instances.map((instance) => instance.end()));
  }
}

const secret = () => randomBytes(48).toString('base64url');
