import fs from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { UsersRepository } from '../auth/accounts/users.repository.js';
import { KeyPairs, thumbprint } from '../certificates/signing-keys/key-pairs.service.js';
import type { SigningKey, SigningKeys } from '../certificates/signing-keys/signing-keys.js';
import { SigningKeysRepository } from '../certificates/signing-keys/signing-keys.repository.js';
import { loadConfig } from '../shared/config/load-config.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { createLogger } from '../shared/logging/logger.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { Clock } from '../shared/time/clock.js';
import { readAccountFields } from './account-fields.js';
import { CliModule } from './cli.module.js';
import { CommandError } from './command-error.js';
import { parseSigningKeysCommand, USAGE, type SigningKeysCommand } from './signing-keys-command.js';
import {
  decryptSigningKeys,
  encryptSigningKeys,
  type ExportedKey,
  type ExportedSigningKeys,
} from './signing-keys-file.js';

/** Asks for the passphrase of the file. */
type ReadPassphrase = (options: { isNew: boolean }) => Promise<string>;

/** What the commands use. */
interface Services {
  readonly repository: SigningKeysRepository;
  readonly keyPairs: KeyPairs;
  readonly clock: Clock;
}

/**
 * Runs a command line of `npm run signing-keys` on the store of the environment. A successful command logs its
 * security event as one line on stderr.
 *
 * @returns the line for the operator on stdout
 * @throws UsageError, CommandError; StartupError where the store cannot be used
 */
export async function carrySigningKeys(
  args: string[],
  env: NodeJS.ProcessEnv,
  readPassphrase: ReadPassphrase,
): Promise<string> {
  if (args.includes('--help') || args.includes('-h')) return USAGE;
  const command = parseSigningKeysCommand(args);
  const { email } = readAccountFields(command.email);
  const config = loadConfig(env);
  const module = CliModule.forRoot(config, createLogger(config, process.stderr), 'tool');
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext(module, options);
  try {
    const account = (await app.get(UsersRepository).findByEmail(email))?._id;
    if (!account) throw new CommandError(`There is no account ${email}.`);
    const services = {
      repository: app.get(SigningKeysRepository),
      keyPairs: new KeyPairs(app.get(DataKeys)),
      clock: app.get(Clock),
    };
    const text =
      command.action === 'export'
        ? await exportKeys(command.file, account, services, readPassphrase)
        : await importKeys(command, account, services, readPassphrase);
    app.get(SecurityLog).record(`signing_keys_${command.action}ed`, { account });
    return text;
  } finally {
    await app.close();
  }
}

async function exportKeys(
  file: string,
  account: AccountId,
  { repository, keyPairs }: Services,
  readPassphrase: ReadPassphrase,
): Promise<string> {
  const keys = await repository.find(account);
  if (!keys)
    throw new CommandError('The account has no signing keys yet: GET /signing-keys creates them.');
  const { issuer, rotations } = keys;
  const exported = (key: SigningKey): ExportedKey => ({
    x: key.x,
    seed: keyPairs.open(issuer, key).toString('base64url'),
  });
  const content: ExportedSigningKeys = {
    issuer,
    rotations,
    current: exported(keys.current),
    next: exported(keys.next),
    retired: keys.retired.map((key) => ({ ...key, retiredAt: key.retiredAt.toISOString() })),
    createdAt: keys.createdAt.toISOString(),
  };
  if (fs.existsSync(file)) throw existing(file);
  const passphrase = await readPassphrase({ isNew: true });
  writeNew(file, encryptSigningKeys(content, passphrase));
  return (
    `The signing keys of issuer ${issuer} (rotation count ${rotations}) are in ${file}. ` +
    'Export them again after each rotation.'
  );
}

async function importKeys(
  { file, replace }: Extract<SigningKeysCommand, { action: 'import' }>,
  account: AccountId,
  { repository, keyPairs, clock }: Services,
  readPassphrase: ReadPassphrase,
): Promise<string> {
  const text = readText(file);
  const imported = decryptSigningKeys(text, await readPassphrase({ isNew: false }));
  const { issuer } = imported;
  const stored = await repository.find(account);
  const replaced = stored && stored.issuer !== issuer ? stored : undefined;
  if (replaced && !replace) {
    throw new CommandError(
      `The account has the keys of issuer ${replaced.issuer}, and the file those of ${issuer}. Software that was ` +
        'built with the former would accept no new certificates: to replace them, add --replace.',
    );
  }
  // The count is the account's: keys of another issuer do not lower it either.
  const rotations = Math.max(imported.rotations, replaced?.rotations ?? 0);
  const sealed = ({ x, seed }: ExportedKey) =>
    keyPairs.seal(issuer, x, Buffer.from(seed, 'base64url'));
  const keys: SigningKeys = {
    _id: account,
    issuer,
    rotations,
    current: sealed(imported.current),
    next: sealed(imported.next),
    retired: imported.retired.map(({ x, retiredAt }) => ({
      kid: thumbprint(x),
      x,
      retiredAt: new Date(retiredAt),
    })),
    createdAt: new Date(imported.createdAt),
    updatedAt: clock.now(),
  };
  switch (await repository.import(keys)) {
    case 'imported':
      return (
        `The account has the signing keys of issuer ${issuer} (rotation count ${keys.rotations}). Running instances ` +
        'sign with them after one minute at most.'
      );
    case 'rotated_since':
      throw new CommandError(
        `The account has rotated its keys since the file was exported (rotation count ${rotations}): import a later export.`,
      );
    case 'issuer_taken':
      throw new CommandError(`Another account has the keys of issuer ${issuer}.`);
    case 'account_deleted':
      throw new CommandError('The account has been deleted meanwhile.');
  }
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Writes a file that only its owner can read, durably; an existing file is kept. */
function writeNew(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existing(file);
    // Nobody may take a part of it for a backup.
    fs.rmSync(file, { force: true });
    throw new CommandError(`${file} cannot be written (${code}).`);
  }
}

const existing = (file: string) => new CommandError(`${file} exists already: name a new file.`);
