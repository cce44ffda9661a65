import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.js';

/** What is asked of `npm run user`. */
export type UserCommand =
  | { readonly action: 'create'; readonly email: string; readonly name: string | undefined }
  | { readonly action: 'reset-password'; readonly email: string };

export const USAGE = [
  'Usage:',
  '  npm run user -- create EMAIL [--name NAME]   creates an account and prints its password',
  '  npm run user -- reset-password EMAIL         gives an account a new password and prints it',
].join('\n');

/**
 * Reads a command line.
 *
 * @param args what stands after the script's name
 * @throws UsageError
 */
export function parseUserCommand(args: string[]): UserCommand {
  const { positionals, name } = parse(args);
  const [action, email, ...rest] = positionals;
  if (action !== 'create' && action !== 'reset-password') {
    throw new UsageError(action ? `There is no command ${action}.` : 'A command is missing.');
  }
  if (!email) throw new UsageError(`${action} takes an e-mail address.`);
  if (rest.length > 0) throw new UsageError(`${action} takes exactly one e-mail address.`);
  if (action === 'create') return { action, email, name };
  if (name !== undefined) throw new UsageError('reset-password takes no --name.');
  return { action, email };
}

function parse(args: string[]): { positionals: string[]; name: string | undefined } {
  try {
    const options = { name: { type: 'string' } } as const;
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
    return { positionals, name: values.name };
  } catch (error) {
    // Node's own first sentence names the option; what follows is advice about its syntax.
    const [reason] = (error as Error).message.split(/\.\s/);
    throw new UsageError(`${reason}.`);
  }
}
