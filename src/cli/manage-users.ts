import { NestFactory } from '@nestjs/core';
import { AccountDeletionsService } from '../auth/account-deletions.service.js';
import { AccountsService } from '../auth/accounts.service.js';
import { loadConfig } from '../shared/config/load-config.js';
import { runUserCommand } from './run-user-command.js';
import { UserCliModule } from './user-cli.module.js';
import { parseUserCommand, USAGE, type UserCommand } from './user-command.js';

/**
 * Runs a command line of `npm run user` on the store that the environment names.
 *
 * @returns the text for the operator, in pieces that are lines of their own
 * @throws UsageError, CommandError, DomainError; StartupError where the store cannot be used
 */
export async function* manageUsers(args: string[], env: NodeJS.ProcessEnv): AsyncGenerator<string> {
  if (args.includes('--help') || args.includes('-h')) yield USAGE;
  else yield* runOnStore(parseUserCommand(args), env);
}

async function* runOnStore(command: UserCommand, env: NodeJS.ProcessEnv): AsyncGenerator<string> {
  // The owner of a SQLite store keeps licenses in memory, so nobody else may delete any.
  const storeUser = command.action === 'delete' ? 'owner' : 'tool';
  const module = UserCliModule.forRoot(loadConfig(env), storeUser);
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext(module, options);
  try {
    const accounts = app.get(AccountsService);
    yield* runUserCommand(command, { accounts, deletions: app.get(AccountDeletionsService) });
  } finally {
    await app.close();
  }
}
