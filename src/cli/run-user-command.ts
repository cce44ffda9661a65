import type { AccountsService } from '../auth/accounts.service.js';
import { readAccountFields } from './account-fields.js';
import { CommandError } from './command-error.js';
import { generatePassword } from './generate-password.js';
import type { UserCommand } from './user-command.js';

/**
 * Does what is asked, with a new random password.
 *
 * @returns the text for the operator
 * @throws CommandError, DomainError
 */
export async function runUserCommand(
  command: UserCommand,
  accounts: AccountsService,
): Promise<string> {
  const password = generatePassword();
  switch (command.action) {
    case 'create': {
      const { email, name } = readAccountFields(command.email, command.name);
      await accounts.create({ email, name, password });
      return report('Account created.', email, password);
    }
    case 'reset-password': {
      const { email } = readAccountFields(command.email);
      if ((await accounts.resetPassword(email, password)) === 'not_found') {
        throw new CommandError(`There is no account ${email}.`);
      }
      return report('Password reset; every session of the account has ended.', email, password);
    }
  }
}

function report(what: string, email: string, password: string): string {
  return [
    what,
    `E-mail:   ${email}`,
    `Password: ${password}`,
    'The password is shown this once and stored nowhere: keep it now.',
  ].join('\n');
}
