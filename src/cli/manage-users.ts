import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccountDeletionsService } from '../auth/accounts/account-deletions.service.js';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { AccountsService } from '../auth/accounts/accounts.service.js';
import { UsersRepository } from '../auth/accounts/users.repository.js';
import { loadConfig } from '../shared/config/load-config.js';
import { createLogger } from '../shared/logging/logger.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { readAccountFields } from './account-fields.js';
import { CliModule } from './cli.module.js';
import { runUserCommand } from './run-user-command.js';
import { parseUserCommand, USAGE, type UserCommand } from './user-command.js';

/**
 * Runs a command line of `npm run user` on the store of the environment. A successful command logs its
 * security event as one line on stderr.
 *
 * @returns the lines for the operator on stdout
 * @throws UsageError, CommandError, DomainError; StartupError where the store cannot be used
 */
export async function* manageUsers(args: string[], env: NodeJS.ProcessEnv): AsyncGenerator<string> {
  if (args.includes('--help') || args.includes('-h')) yield USAGE;
  else yield* runOnStore(parseUserCommand(args), env);
}

async function* runOnStore(command: UserCommand, env: NodeJS.ProcessEnv): AsyncGenerator<string> {
  const storeUser = command.action === 'delete' ? 'exclusive tool' : 'tool';
  const config = loadConfig(env);
  const logger = createLogger(config, process.stderr);
  const module = CliModule.forRoot(config, logger, storeUser, [AccountsModule]);
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext(module, options);
  try {
    const services = {
      accounts: app.get(AccountsService),
      deletions: app.get(AccountDeletionsService),
    };
    const before = await accountOf(command, app);
    yield* runUserCommand(command, services);
    if (command.action === 'list') return;
    const account = before ?? (await accountOf(command, app));
    app.get(SecurityLog).record('account_command', { action: command.action, account });
  } finally {
    await app.close();
  }
}

/** The id of the command's account, if it exists. */
async function accountOf(
  command: UserCommand,
  app: INestApplicationContext,
): Promise<string | undefined> {
  if (command.action === 'list') return undefined;
  const { email } = readAccountFields(command.email);
  return (await app.get(UsersRepository).findByEmail(email))?._id;
}
