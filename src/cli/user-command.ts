import { UsageError } from './command-error.js';
import { parseCommandLine } from './parse-command-line.js';

export type UserCommand =
  | { readonly action: 'list' }
  | { readonly action: 'create'; readonly email: string; readonly name: string | undefined }
  | { readonly action: 'reset-password' | 'disable' | 'enable'; readonly email: string }
  | { readonly action: 'delete'; readonly email: string; readonly withLicenses: boolean };

type Action = UserCommand['action'];
type Option = 'name' | 'with-licenses';

/** Every command, with the option that it accepts. */
const OPTION_OF: Record<Action, Option | undefined> = {
  list: undefined,
  create: 'name',
  'reset-password': undefined,
  disable: undefined,
  enable: undefined,
  delete: 'with-licenses',
};

export const USAGE = [
  'Usage:',
  '  npm run user -- list                           prints every account, one a line',
  '  npm run user -- create EMAIL [--name NAME]     creates an account and prints its password',
  '  npm run user -- reset-password EMAIL           gives an account a new password and prints it',
  '  npm run user -- disable EMAIL                  ends its sessions; nobody can log in',
  '  npm run user -- enable EMAIL                   lets its owner log in again',
  '  npm run user -- delete EMAIL [--with-licenses] deletes an account and everything that it has',
].join('\n');

/** @throws UsageError */
export function parseUserCommand(args: string[]): UserCommand {
  const { positionals, values } = parseCommandLine({
    args,
    options: { name: { type: 'string' }, 'with-licenses': { type: 'boolean' } },
    allowPositionals: true,
  });
  const [action, email, ...rest] = positionals;
  if (!isAction(action)) {
    throw new UsageError(action ? `There is no command ${action}.` : 'A command is missing.');
  }
  for (const option of Object.keys(values)) {
    if (option !== OPTION_OF[action]) throw new UsageError(`${action} takes no --${option}.`);
  }
  if (action === 'list') {
    if (email !== undefined) throw new UsageError('list takes no e-mail address.');
    return { action };
  }
  if (!email) throw new UsageError(`${action} takes an e-mail address.`);
  if (rest.length > 0) throw new UsageError(`${action} takes exactly one e-mail address.`);
  if (action === 'create') return { action, email, name: values.name };
  if (action === 'delete') {
    return { action, email, withLicenses: values['with-licenses'] ?? false };
  }
  return { action, email };
}

const isAction = (text: string | undefined): text is Action =>
  text !== undefined && Object.hasOwn(OPTION_OF, text);
