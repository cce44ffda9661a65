import type { Logger } from 'pino';
import { commandLine } from '../shared/config/command-line.js';
import type { Config } from '../shared/config/config.js';
import { VERSION } from '../shared/version.js';

/**
 * Announces that the service is listening, with a log record and a banner on stderr.
 *
 * @param warnings for the banner; already logged
 */
export function announce(
  address: string,
  config: Config,
  logger: Logger,
  warnings: readonly string[],
): void {
  const metrics = metricsAddress(config);
  const store = config.mongodbUri ? 'MongoDB (MONGODB_URI)' : `SQLite in ${config.dataDir}`;
  logger.info({ version: VERSION, address, metrics, store, node: process.version }, 'listening');
  process.stderr.write(`
License Management Service ${VERSION} listens on ${address}
${config.console ? `  console         ${address}/console\n` : ''}  documentation   ${address}/docs
  data            ${store}${metrics ? `\n  metrics         ${metrics}` : ''}
  next step       create an account: ${howToRegister(address, config)}
                  README.md shows every step to an activated license
${warnings.map((warning) => `  warning         ${warning}\n`).join('')}`);
}

function metricsAddress({ metricsPort, metricsHost }: Config): string | undefined {
  if (metricsPort === undefined) return undefined;
  const host = metricsHost.includes(':') ? `[${metricsHost}]` : metricsHost;
  return `http://${host}:${metricsPort}/metrics`;
}

function howToRegister(address: string, { registration, console }: Config): string {
  const route = console ? `${address}/console` : `POST ${address}/auth/register`;
  const command = commandLine('user create EMAIL');
  const indent = ' '.repeat(18);
  switch (registration) {
    case 'open':
      return `${route}\n${indent}open to anyone; set REGISTRATION=first if all accounts are yours`;
    case 'first':
      return `${route}\n${indent}only the first account can register; create more with ${command}`;
    case 'closed':
      return `${command} (registration is closed)`;
  }
}
