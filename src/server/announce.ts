import type { Logger } from 'pino';
import type { Config } from '../shared/config/config.js';

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
  process.stderr.write(`
The license management service listens on ${address}
  documentation   ${address}/docs
  data            ${store}
  how to go on    create an account: ${howToRegister(address, config.registration)}
                  README.md has the whole way from there to an activated license
${warnings.map((warning) => `  warning         ${warning}\n`).join('')}`);
}

function howToRegister(address: string, registration: Config['registration']): string {
  const route = `POST ${address}/auth/register`;
  const command = 'npm run user -- create EMAIL';
  const indent = ' '.repeat(18);
  switch (registration) {
    case 'open':
      return `${route}\n${indent}anyone can: set REGISTRATION=first if all accounts are yours`;
    case 'first':
      return `${route}\n${indent}only the first account is created so, each further one by ${command}`;
    case 'closed':
      return `${command} (registration is closed)`;
  }
}
