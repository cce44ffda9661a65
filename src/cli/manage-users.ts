import { NestFactory } from '@nestjs/core';
import { AccountsService } from '../auth/accounts.service.js';
import { UsersRepository } from '../auth/users.repository.js';
import { loadConfig } from '../shared/config/load-config.js';
import { createLogger } from '../shared/logging/logger.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { readAccountFields } from './account-fields.js';
import { runUserCommand } from './run-user-command.js';
import { UserCliModule } from './user-cli.module.js';
import { parseUserCommand, USAGE } from './user-command.js';

/**
 * Does what a command line of `npm run user` asks, on the store that the environment names. The security
 * event of a command that succeeded is one line on stderr, apart from the text for the operator on stdout.
 *
 * @returns the text for the operator
 * @throws UsageError, CommandError, DomainError; StartupError where the store cannot be used
 */
export async function manageUsers(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  if (args.includes('--help') || args.includes('-h')) return USAGE;
  const command = parseUserCommand(args);
  const config = loadConfig(env);
  const module = UserCliModule.forRoot(config, createLogger(config, process.stderr));
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext(module, options);
  try {
    const { email } = readAccountFields(command.email);
    const find = async () => (await app.get(UsersRepository).findByEmail(email))?._id;
    const before = await find();
    const text = await runUserCommand(command, app.get(AccountsService));
    const account = before ?? (await find());
    app.get(SecurityLog).record('account_command', { action: command.action, account });
    return text;
  } finally {
    await app.close();
  }
}
