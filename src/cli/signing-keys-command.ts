import { UsageError } from './command-error.js';
import { parseCommandLine } from './parse-command-line.js';

export interface SigningKeysCommand {
  readonly action: 'export' | 'import';
  readonly email: string;
  readonly file: string;
  /** Of an import: replaces keys of another issuer. */
  readonly replace: boolean;
}

export const USAGE = [
  'Usage:',
  '  npm run signing-keys -- export EMAIL FILE              writes the signing keys of an account to a new file',
  '  npm run signing-keys -- import EMAIL FILE [--replace]  gives an account the signing keys of a file;',
  '                                                         --replace: also where it has those of another issuer',
  'The file is encrypted under a passphrase, which is asked for, or read from standard input.',
].join('\n');

/** @throws UsageError */
export function parseSigningKeysCommand(args: string[]): SigningKeysCommand {
  const { positionals, values } = parseCommandLine({
    args,
    options: { replace: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [action, email, file, ...rest] = positionals;
  if (action !== 'export' && action !== 'import') {
    throw new UsageError(action ? `There is no command ${action}.` : 'A command is missing.');
  }
  if (!email || !file || rest.length > 0) {
    throw new UsageError(`${action} takes an e-mail address and a file.`);
  }
  const { replace } = values;
  if (action === 'export' && replace) throw new UsageError('export takes no --replace.');
  return { action, email, file, replace: replace ?? false };
}
