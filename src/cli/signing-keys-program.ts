import type { Command } from 'commander';
import { commandLine } from './command-line.js';
import type { Overwrite } from './import-signing-keys.js';

export interface SigningKeysCommand extends Overwrite {
  readonly action: 'export' | 'import';
  readonly email: string;
  readonly file: string;
}

/** The command line of `npm run signing-keys`. */
export function signingKeysProgram(run: (command: SigningKeysCommand) => Promise<void>): Command {
  const program = commandLine(
    'signing-keys',
    'Exports and imports the signing keys of an account. The file is encrypted under a passphrase, which is asked ' +
      'for, or read from standard input.',
  );
  program
    .command('export <EMAIL> <FILE>')
    .description('write the signing keys of an account to a new file')
    .action((email: string, file: string) => run({ action: 'export', email, file }));
  program
    .command('import <EMAIL> <FILE>')
    .description('give an account the signing keys of a file')
    .option('--replace', 'also where the account has the keys of another issuer')
    .option(
      '--force',
      'also where it has the keys of another issuer, or has rotated its keys since the export: keys that were withdrawn ' +
        'as compromised become valid again, and keys made since are lost',
    )
    .action((email: string, file: string, overwrite: Overwrite) =>
      run({ action: 'import', email, file, ...overwrite }),
    );
  return program;
}
