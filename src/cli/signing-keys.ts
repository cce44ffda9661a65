import fs from 'node:fs';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { AccountsService } from '../auth/accounts/accounts.service.js';
import { KeyPairs } from '../certificates/signing-keys/key-pairs.service.js';
import {
  SIGNING_KEYS,
  type SigningKey,
  type SigningKeys,
} from '../certificates/signing-keys/signing-keys.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { Clock } from '../shared/time/clock.js';
import { writeNewFile } from '../shared/write-new-file.js';
import { NOT_STORED } from '../storage/collection.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { readAccountFields } from './account-fields.js';
import { CommandError, notFound } from './command-error.js';
import { importSigningKeys, type Overwrite } from './import-signing-keys.js';
import { readPassphrase } from './passphrase.js';
import {
  decryptSigningKeys,
  encryptSigningKeys,
  type ExportedKey,
  type ExportedSigningKeys,
} from './signing-keys-file.js';
import { type Services, withStore } from './with-store.js';

/** Writes the signing keys of an account to a new file, and returns the line for the operator. */
export function exportSigningKeys(
  email: string,
  file: string,
  env = process.env,
  ask = readPassphrase,
): Promise<string> {
  return onAccount(email, env, 'signing_keys_exported', async (services, accountId) => {
    const keys = await services.get(Store).find(SIGNING_KEYS, { _id: accountId });
    if (!keys) {
      throw new CommandError(
        'The account has no signing keys yet: GET /signing-keys creates them.',
      );
    }
    const content = toExported(keys, new KeyPairs(services.get(DataKeys)));
    const text = encryptSigningKeys(content, await ask({ isNew: true }));
    await writeNewFile(file, (partial) => fs.writeFileSync(partial, text));
    return (
      `The signing keys of issuer ${keys.issuer} (rotation count ${keys.rotations}) are in ${file}. ` +
      'Export them again after each rotation.'
    );
  });
}

/** Gives an account the signing keys in a file, and returns the lines for the operator. */
export function loadSigningKeys(
  email: string,
  file: string,
  overwrite: Overwrite,
  env = process.env,
  ask = readPassphrase,
): Promise<string> {
  return onAccount(email, env, 'signing_keys_imported', async (services, accountId) => {
    const text = readText(file);
    const exported = decryptSigningKeys(text, await ask({ isNew: false }));
    const keyPairs = new KeyPairs(services.get(DataKeys));
    const keys = toSigningKeys(exported, accountId, keyPairs, services.get(Clock).now());
    const [store, decisions] = [services.get(Store), services.get(Decisions)];
    const { issuer, rotations } = await importSigningKeys(keys, overwrite, store, decisions);
    const imported =
      `The account has the signing keys of issuer ${issuer} (rotation count ${rotations}). Running instances ` +
      'sign with them after at most one minute.';
    return overwrite.force ? [imported, ...FORCED].join('\n') : imported;
  });
}

const FORCED = [
  'Rotations since the export are undone:',
  '- Keys that were withdrawn as compromised sign and are published again. If somebody has a private key, rotate twice with',
  '  "compromised": true, and ship new builds.',
  '- Newer keys are lost. Builds and servers that know only the restored keys reject certificates signed with the newer ones:',
  '  machines without a network need new certificates. Builds that contain none of the restored keys need an update.',
  'Export the keys again.',
];

/** Uses the store for the account of a login, and logs the event if it succeeds: one line on stderr. */
function onAccount(
  givenEmail: string,
  env: NodeJS.ProcessEnv,
  event: 'signing_keys_exported' | 'signing_keys_imported',
  use: (services: Services, accountId: AccountId) => Promise<string>,
): Promise<string> {
  const { email } = readAccountFields(givenEmail);
  return withStore(env, [AccountsModule], async (app) => {
    const user = await app.get(AccountsService).findByEmail(email);
    if (!user) throw notFound(email);
    const { account } = user;
    const text = await use(app, account);
    app.get(SecurityLog).record(event, { account });
    return text;
  });
}

function toExported(keys: SigningKeys, keyPairs: KeyPairs): ExportedSigningKeys {
  const { issuer, rotations, current, next, retired, createdAt } = keys;
  const exported = (key: SigningKey) => ({
    x: key.x,
    seed: keyPairs.open(issuer, key).toString('base64url'),
  });
  return {
    ...{ issuer, rotations, current: exported(current), next: exported(next) },
    retired: retired.map((key) => ({ ...key, retiredAt: key.retiredAt.toISOString() })),
    createdAt: createdAt.toISOString(),
  };
}

function toSigningKeys(
  { issuer, rotations, current, next, retired, createdAt }: ExportedSigningKeys,
  _id: AccountId,
  keyPairs: KeyPairs,
  updatedAt: Date,
): SigningKeys {
  const sealed = ({ x, seed }: ExportedKey) =>
    keyPairs.seal(issuer, x, Buffer.from(seed, 'base64url'));
  return {
    ...{ _id, issuer, rotations, current: sealed(current), next: sealed(next) },
    retired: retired.map((key) => ({ ...key, retiredAt: new Date(key.retiredAt) })),
    ...{ createdAt: new Date(createdAt), updatedAt, version: NOT_STORED },
  };
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
