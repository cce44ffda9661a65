import type { Command } from 'commander';
import { commandLine } from './command-line.js';

export type UserCommand =
  | { readonly action: 'list' }
  | { readonly action: 'create'; readonly email: string; readonly name: string | undefined }
  | { readonly action: 'reset-password' | 'disable' | 'enable'; readonly email: string }
  | { readonly action: 'delete'; readonly email: string; readonly withLicenses: boolean };

/** The command line of `npm run user`. */
export function userProgram(run: (command: UserCommand) => Promise<void>): Command {
  const program = commandLine('user', 'Manages accounts, also where registration is closed.');
  const add = (name: string, description: string) => program.command(name).description(description);

  add('list', 'print every account, one a line').action(() => run({ action: 'list' }));
  add('create <EMAIL>', 'create an account and print its password')
    .option('--name <NAME>', 'name of the account; default: the part of the address before the @')
    .action((email: string, { name }: { name?: string }) => run({ action: 'create', email, name }));
  for (const [action, description] of [
    ['reset-password', 'give an account a new password and print it'],
    ['disable', 'end the sessions of an account; nobody can log in'],
    ['enable', 'let the owner of an account log in again'],
  ] as const) {
    add(`${action} <EMAIL>`, description).action((email: string) => run({ action, email }));
  }
  add('delete <EMAIL>', 'delete an account and everything that it has')
    .option('--with-licenses', 'also where it has active licenses', false)
    .action((email: string, { withLicenses }: { withLicenses: boolean }) =>
      run({ action: 'delete', email, withLicenses }),
    );
  return program;
}
