import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { AccountsService } from '../auth/accounts/accounts.service.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ProjectsService } from '../projects/projects.service.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { Clock } from '../shared/time/clock.js';
import { Store } from '../storage/store.js';
import { readAccountFields } from './account-fields.js';
import { openStore } from './cli.module.js';
import { deleteAccount } from './delete-account.js';
import { runUserCommand } from './run-user-command.js';
import type { UserCommand } from './user-program.js';

/** Runs a command of `npm run user`. A successful one logs its security event as one line on stderr. */
export async function* manageUsers(
  command: UserCommand,
  env: NodeJS.ProcessEnv,
): AsyncGenerator<string> {
  const app =
    command.action === 'delete'
      ? await openStore(env, 'command', [AccountsModule, ProjectsModule])
      : await openStore(env, 'command', [AccountsModule]);
  const accounts = app.get(AccountsService);
  try {
    const services = {
      accounts,
      deleteAccount: (email: string, withLicenses: boolean) =>
        deleteAccount(email, withLicenses, {
          accounts,
          projects: app.get(ProjectsService),
          store: app.get(Store),
          clock: app.get(Clock),
        }),
    };
    const before = await userOf(command, accounts);
    yield* runUserCommand(command, services);
    if (command.action === 'list') return;
    const user = before ?? (await userOf(command, accounts));
    const ids = user && { account: user.account, user: user._id };
    app.get(SecurityLog).record('account_command', { action: command.action, ...ids });
  } finally {
    await app.close();
  }
}

async function userOf(command: UserCommand, accounts: AccountsService) {
  if (command.action === 'list') return undefined;
  const { email } = readAccountFields(command.email);
  return (await accounts.findByEmail(email)) ?? undefined;
}
