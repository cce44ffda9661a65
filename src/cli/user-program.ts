import type { Command } from 'commander';
import { commandLine } from './command-line.js';

export type UserCommand =
  | { readonly action: 'list' }
  | { readonly action: 'create'; readonly email: string; readonly name: string | undefined }
  | { readonly action: 'reset-password' | 'disable' | 'enable'; readonly email: string }
  | { readonly action: 'transfer'; readonly email: string; readonly to: string }
  | { readonly action: 'delete'; readonly email: string; readonly withLicenses: boolean };

/** The command line of `npm run user`. */
export function userProgram(run: (command: UserCommand) => Promise<void>): Command {
  const program = commandLine(
    'user',
    'Manages accounts and their members, also where registration is closed.',
  );
  const add = (name: string, description: string) => program.command(name).description(description);

  add('list', 'print every login, one a line').action(() => run({ action: 'list' }));
  add('create <EMAIL>', 'create an account and print its password')
    .option('--name <NAME>', 'name of the account; default: the part of the address before the @')
    .action((email: string, { name }: { name?: string }) => run({ action: 'create', email, name }));
  for (const [action, description] of [
    ['reset-password', 'give a member a new password and print it; end the sessions'],
    ['disable', 'disable the account of an owner, or the login of another member'],
    ['enable', 'enable what was disabled'],
  ] as const) {
    add(`${action} <EMAIL>`, description).action((email: string) => run({ action, email }));
  }
  add('transfer <EMAIL> <EMAIL>', 'make another member the owner of an account').action(
    (email: string, to: string) => run({ action: 'transfer', email, to }),
  );
  add('delete <EMAIL>', 'delete the account of an owner, or the login of another member')
    .option('--with-licenses', 'also where the account has active licenses', false)
    .action((email: string, { withLicenses }: { withLicenses: boolean }) =>
      run({ action: 'delete', email, withLicenses }),
    );
  return program;
}
