import type { Logger } from 'pino';
import type { Config } from './shared/config/config.js';

/**
 * Says that the service listens: the log in a record, people in a few lines.
 *
 * @param warnings what the start has found; in the log already
 */
export function announce(
  address: string,
  config: Config,
  logger: Logger,
  warnings: readonly string[],
): void {
  const store = config.mongodbUri ? 'MongoDB, by MONGODB_URI' : `SQLite, in ${config.dataDir}`;
  logger.info({ address, store, node: process.version }, 'listening');
  const account =
    config.registration === 'open'
      ? `POST ${address}/auth/register`
      : 'npm run user -- create EMAIL (registration is closed)';
  process.stderr.write(`
The license management service listens on ${address}
  documentation   ${address}/docs
  data            ${store}
  how to go on    create an account: ${account}
                  README.md has the whole way from there to an activated license
${warnings.map((warning) => `  warning         ${warning}\n`).join('')}`);
}
