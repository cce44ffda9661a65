import { NestFactory } from '@nestjs/core';
import { AccountsService } from '../auth/accounts.service.js';
import { loadConfig } from '../shared/config/load-config.js';
import { runUserCommand } from './run-user-command.js';
import { UserCliModule } from './user-cli.module.js';
import { parseUserCommand, USAGE } from './user-command.js';

/**
 * Does what a command line of `npm run user` asks, on the store that the environment names.
 *
 * @returns the text for the operator
 * @throws UsageError, CommandError, DomainError; StartupError where the store cannot be used
 */
export async function manageUsers(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  if (args.includes('--help') || args.includes('-h')) return USAGE;
  const command = parseUserCommand(args);
  const module = UserCliModule.forRoot(loadConfig(env));
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext(module, options);
  try {
    return await runUserCommand(command, app.get(AccountsService));
  } finally {
    await app.close();
  }
}
