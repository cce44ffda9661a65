import fs from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { AccountsService } from '../auth/accounts/accounts.service.js';
import { KeyPairs, thumbprint } from '../certificates/signing-keys/key-pairs.service.js';
import {
  SIGNING_KEYS,
  type SigningKey,
  type SigningKeys,
} from '../certificates/signing-keys/signing-keys.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { Clock } from '../shared/time/clock.js';
import { NOT_STORED } from '../storage/collection.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { readAccountFields } from './account-fields.js';
import { openStore } from './cli.module.js';
import { CommandError, notFound } from './command-error.js';
import { importSigningKeys } from './import-signing-keys.js';
import type { SigningKeysCommand } from './signing-keys-program.js';
import {
  decryptSigningKeys,
  encryptSigningKeys,
  type ExportedKey,
  type ExportedSigningKeys,
} from './signing-keys-file.js';

type ReadPassphrase = (options: { isNew: boolean }) => Promise<string>;

/** Runs a command of `npm run signing-keys`. A successful one logs its security event as one line on stderr. */
export async function exportOrImportSigningKeys(
  command: SigningKeysCommand,
  env: NodeJS.ProcessEnv,
  readPassphrase: ReadPassphrase,
): Promise<string> {
  const { email } = readAccountFields(command.email);
  const app = await openStore(env, 'command', [AccountsModule]);
  try {
    const user = await app.get(AccountsService).findByEmail(email);
    if (!user) throw notFound(email);
    const { account } = user;
    const run = command.action === 'export' ? exportKeys : importKeys;
    const text = await run(command, account, app, readPassphrase);
    app.get(SecurityLog).record(`signing_keys_${command.action}ed`, { account });
    return text;
  } finally {
    await app.close();
  }
}

async function exportKeys(
  { file }: SigningKeysCommand,
  accountId: AccountId,
  app: INestApplicationContext,
  readPassphrase: ReadPassphrase,
): Promise<string> {
  const keys = await app.get(Store).find(SIGNING_KEYS, { _id: accountId });
  if (!keys)
    throw new CommandError('The account has no signing keys yet: GET /signing-keys creates them.');
  const keyPairs = new KeyPairs(app.get(DataKeys));
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
  { file, ...overwrite }: SigningKeysCommand,
  accountId: AccountId,
  app: INestApplicationContext,
  readPassphrase: ReadPassphrase,
): Promise<string> {
  const text = readText(file);
  const exported = decryptSigningKeys(text, await readPassphrase({ isNew: false }));
  const keys = toSigningKeys(exported, accountId, app);
  const [store, decisions] = [app.get(Store), app.get(Decisions)];
  const { issuer, rotations } = await importSigningKeys(keys, overwrite, store, decisions);
  const imported =
    `The account has the signing keys of issuer ${issuer} (rotation count ${rotations}). Running instances ` +
    'sign with them after one minute at most.';
  return overwrite.force ? [imported, ...FORCED].join('\n') : imported;
}

const FORCED = [
  'Rotations since the export are undone:',
  '- Keys that were withdrawn as compromised sign and are published again. If somebody has a private one, rotate twice with',
  '  "compromised": true, and ship new builds.',
  '- Keys made since are lost. Builds and servers that know the restored keys alone reject certificates that those have signed:',
  '  machines without a network need new ones. Builds that contain none of the restored keys need an update.',
  'Export the keys again.',
];

function toSigningKeys(
  { issuer, rotations, current, next, retired, createdAt }: ExportedSigningKeys,
  _id: AccountId,
  app: INestApplicationContext,
): SigningKeys {
  const keyPairs = new KeyPairs(app.get(DataKeys));
  const sealed = ({ x, seed }: ExportedKey) =>
    keyPairs.seal(issuer, x, Buffer.from(seed, 'base64url'));
  return {
    _id,
    issuer,
    rotations,
    current: sealed(current),
    next: sealed(next),
    retired: retired.map(({ x, retiredAt }) => ({
      kid: thumbprint(x),
      x,
      retiredAt: new Date(retiredAt),
    })),
    createdAt: new Date(createdAt),
    updatedAt: app.get(Clock).now(),
    version: NOT_STORED,
  };
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
