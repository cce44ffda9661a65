import { Command, Help, Option } from 'commander';
import { PROGRAM } from '../shared/config/command-line.js';
import { loadDotEnv } from '../shared/config/dot-env.js';
import { VERSION } from '../shared/version.js';
import type { AccountAction } from './accounts.js';
import type { ImportCommandOptions } from './import/import.js';
import type { AccountOptions } from './login-changes.js';
import type { AccountPart } from './list-account.js';
import type { ImportOptions } from './signing-keys.js';
import type { Services } from './with-store.js';

/**
 * Every operator command. A command loads its services only when it runs.
 *
 * @param name the name of the program: `npm run` in a checkout
 */
export function createProgram(name = PROGRAM): Command {
  const program = new Command(name)
    .version(VERSION, '--version', 'print the version')
    .showHelpAfterError()
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 rows rejected (import).')
    .configureHelp({ commandUsage })
    .hook('preAction', loadDotEnv);
  program
    .command('start')
    .description('Starts the service. This is the default.')
    .action(async () => void (await import('../main.js')));
  addAccountCommands(program);
  addMoveCommands(program);
  addSigningKeyCommands(program);
  addStoreCommands(program);
  addImportCommand(program);
  addMailCommand(program);
  return program;
}

/** Runs a command on the configured store, and prints its lines. */
async function onStore<Args extends unknown[]>(
  command: (services: Services, ...args: Args) => Promise<string | void>,
  ...args: Args
): Promise<void> {
  const { withStore } = await import('./with-store.js');
  const text = await withStore(process.env, (services) => command(services, ...args));
  if (text !== undefined) console.log(text);
}

/** npm consumes options unless they follow `--`. */
const commandUsage = (command: Command): string =>
  new Help().commandUsage(command).replace(/^npm run \S+/, '$& --');

function addAccountCommands(program: Command): void {
  const user = program
    .command('user')
    .description('Manages accounts and their members, even if registration is closed.');
  const change = async (action: AccountAction, email: string, options?: AccountOptions) =>
    onStore((await import('./accounts.js')).runAccountCommand, action, email, options);
  const list = async (part: AccountPart, email: string, since?: string) =>
    onStore((await import('./list-account.js')).listOfAccount, part, email, since);
  user
    .command('list')
    .description('list all logins, one per line')
    .action(async () => onStore((await import('./list-logins.js')).listLogins));
  user
    .command('create <EMAIL>')
    .description('create an account and print its password')
    .option(
      '--name <NAME>',
      'name of the account (default: the part of the email address before the @)',
    )
    .action((email: string, options: AccountOptions) => change('create', email, options));
  const simple = (action: AccountAction, description: string) =>
    user
      .command(`${action} <EMAIL>`)
      .description(description)
      .action((email: string) => change(action, email));
  simple(
    'reset-password',
    'set a new password for a member, print it and end all sessions of the member',
  );
  simple(
    'reset-factors',
    'remove the second factors of a member who has lost them, and end all sessions of the member',
  );
  simple('disable', "disable an owner's account or another member's login");
  simple('enable', 'enable a disabled account or login');
  user
    .command('transfer <EMAIL> <EMAIL>')
    .description('make another member the owner of an account')
    .action((email: string, to: string) => change('transfer', email, { to }));
  user
    .command('change-email <EMAIL> <EMAIL>')
    .description('change the email address of a login')
    .action((email: string, to: string) => change('change-email', email, { to }));
  user
    .command('secure <EMAIL>')
    .description(
      'after a login was stolen: set a new password, end all sessions, delete the API keys, and list the events since a time; for ' +
        'an owner, in the whole account',
    )
    .option('--since <TIME>', 'list events from this time on (default: 7 days ago)')
    .action(async (email: string, { since }: { since?: string }) => {
      (await import('./list-account.js')).readSince(since, new Date());
      await change('secure', email);
      await list('events', email, since);
    });
  user
    .command('events [EMAIL]')
    .description('list the events of the account, or of all accounts, oldest first')
    .option('--since <TIME>', 'from this time on (default: 7 days ago)')
    .action(async (email: string | undefined, { since }: { since?: string }) =>
      email === undefined
        ? onStore((await import('./list-account.js')).listEvents, since)
        : list('events', email, since),
    );
  for (const [part, one, what] of [
    ['api-keys', 'delete-api-key', 'API key'],
    ['webhooks', 'delete-webhook', 'webhook'],
    ['invitations', 'delete-invitation', 'invitation'],
  ] as const) {
    user
      .command(`${part} <EMAIL>`)
      .description(`list the ${what}s of the account`)
      .action((email: string) => list(part, email));
    user
      .command(`${one} <EMAIL> <ID>`)
      .description(`delete one ${what} of the account`)
      .action((email: string, id: string) => change(one, email, { id }));
  }
  user
    .command('delete <EMAIL>')
    .description("delete an owner's account or another member's login")
    .option('--with-licenses', 'delete the account even if it has active licenses')
    .action((email: string, options: AccountOptions) => change('delete', email, options));
}

function addMoveCommands(program: Command): void {
  const move = program
    .command('account')
    .description(
      'Moves an account to another deployment, in a file that is encrypted with a passphrase. The command asks for it or reads it from ' +
        'standard input.',
    );
  move
    .command('export <FILE>')
    .description('write an account, except its sessions, links and mail, to a new file')
    .requiredOption('--account <EMAIL>', "the owner's email address")
    .action(async (file: string, { account }: { readonly account: string }) =>
      onStore((await import('./account-move.js')).exportAccount, file, account),
    );
  move
    .command('import <FILE>')
    .description('import the account in a file, all or nothing; stop the service first')
    .action(async (file: string) =>
      onStore((await import('./account-move.js')).importAccount, file),
    );
}

function addSigningKeyCommands(program: Command): void {
  const keys = program
    .command('signing-keys')
    .description(
      'Exports and imports the signing keys of an account. The file is encrypted with a passphrase. The command asks ' +
        'for it or reads it from standard input.',
    );
  keys
    .command('export <EMAIL> <FILE>')
    .description('write the signing keys of an account to a new file')
    .action(async (email: string, file: string) =>
      onStore((await import('./signing-keys.js')).exportSigningKeys, email, file),
    );
  keys
    .command('import <EMAIL> <FILE>')
    .description('load signing keys from a file into an account')
    .option(
      '--force',
      'import even if the account has keys of another issuer or has rotated its keys since the export; keys withdrawn ' +
        'as compromised become valid again, and newer keys are lost',
    )
    .action(async (email: string, file: string, options: ImportOptions) =>
      onStore((await import('./signing-keys.js')).loadSigningKeys, email, file, options),
    );
}

function addImportCommand(program: Command): void {
  program
    .command('import <FILE...>')
    .description(
      'Imports licenses from another system with their keys. Run it again to continue: no row is imported twice.',
    )
    .addOption(
      new Option('--from <FORMAT>', 'the format of the files')
        .choices(['canonical', 'csv', 'keybox', 'keygen', 'lemon-squeezy'])
        .makeOptionMandatory(),
    )
    .requiredOption('--account <EMAIL>', 'the account to import into')
    .option('--check', 'change nothing, and exit with 2 if a row would be rejected')
    .option('--map <MAP>', 'a JSON file with columns, statuses, timeZone, products and defaults')
    .option(
      '--time-zone <ZONE>',
      'the time zone for times without one, such as Europe/Berlin (default: UTC)',
    )
    .addOption(
      new Option(
        '--far-end <END>',
        'make licenses that expire more than 3,660 days from now perpetual',
      ).choices(['perpetual']),
    )
    .option('--allow-missing-email', 'use placeholder addresses for clients without one')
    .action(async (files: string[], options: ImportCommandOptions) => {
      const { importFiles } = await import('./import/import.js');
      const { text, isComplete } = await importFiles(files, options);
      console.log(text);
      if (!isComplete) process.exitCode = 2;
    });
}

function addMailCommand(program: Command): void {
  program
    .command('mail')
    .description('Checks the mail settings.')
    .command('test <ADDRESS>')
    .description("send a test mail and print the mail server's reply")
    .action(async (address: string) => {
      const { testMail } = await import('./mail.js');
      console.log(await testMail(address));
    });
}

const QUIET = ['--quiet', 'print nothing unless the command fails'] as const;

interface QuietOption {
  readonly quiet?: boolean;
}

function report({ quiet = false }: QuietOption, text: string): void {
  if (!quiet) console.log(text);
}

function addStoreCommands(program: Command): void {
  const load = () => import('./store-commands.js');
  program
    .command('backup <FILE>')
    .description(
      'Copies the SQLite store in DATA_DIR to a new file and verifies the copy. - writes it to standard output.',
    )
    .option(...QUIET)
    .action(async (file: string, options: QuietOption) => {
      const { backup, backupTo } = await load();
      if (file === '-') await backupTo(process.stdout);
      else report(options, await backup(file));
    });
  program
    .command('compact')
    .description(
      'Rewrites the SQLite store in DATA_DIR without the space of deleted records. Stop the service first. It needs as ' +
        'much free space as the store itself.',
    )
    .option(...QUIET)
    .action(async (options: QuietOption) => report(options, await (await load()).compact()));
  program
    .command('doctor')
    .description('Checks the configuration, the secrets and the store, and changes nothing.')
    .action(async () => {
      const { examine } = await import('./doctor.js');
      const { lines, isHealthy } = await examine();
      console.log(lines.join('\n'));
      if (!isHealthy) process.exitCode = 1;
    });
  program
    .command('restore <FILE>')
    .description(
      'Restores a backup into DATA_DIR. The folder may contain only jwt-secret and license-secret.',
    )
    .option(...QUIET)
    .action(async (file: string, options: QuietOption) =>
      report(options, await (await load()).restore(file)),
    );
  program
    .command('migrate-to-mongodb')
    .description(
      'Copies the SQLite store in DATA_DIR to the empty database in MONGODB_URI and verifies every record. Stop the ' +
        'service first. If the command is interrupted, run it again and it starts over.',
    )
    .action(async () => console.log(await (await load()).migrateToMongodb()));
}
