import { AccountsService } from '../auth/accounts/accounts.service.js';
import { SIGNING_KEYS, type SigningKeys } from '../certificates/signing-keys/signing-keys.js';
import { type AccountId, toAccountId } from '../shared/ids.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { writeNewFile } from '../shared/write-new-file.js';
import { type Change, insert, replace, touch } from '../storage/changes.js';
import { NOT_STORED, type Stored } from '../storage/collection.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { readAccountFields } from './account-fields.js';
import { keyOfFile, readAccountFile, writeAccountFile } from './account-file.js';
import { CommandError, notFound } from './command-error.js';
import { readPassphrase } from './passphrase.js';
import { fromPortable, toPortable } from './portable-records.js';
import type { Services } from './with-store.js';

export interface ImportOptions {
  readonly force?: boolean;
}

/** Exports an account's signing keys to a new file. Returns the line for the operator. */
export function exportSigningKeys(
  services: Services,
  email: string,
  file: string,
  ask = readPassphrase,
): Promise<string> {
  return withAccount(services, email, 'signing_keys_exported', async (accountId) => {
    const keys = await services.get(Store).find(SIGNING_KEYS, { _id: accountId });
    if (!keys) {
      throw new CommandError(
        'The account has no signing keys yet. GET /signing-keys creates them.',
      );
    }
    const { name: collection } = SIGNING_KEYS;
    const records = [toPortable(services, collection, { ...keys })];
    const passphrase = await ask({ isNew: true });
    await writeNewFile(file, (partial) =>
      writeAccountFile(partial, passphrase, [{ collection, records }]),
    );
    await markExported(keys, services);
    return (
      `The signing keys of issuer ${keys.issuer} (rotation count ${keys.rotations}) are in ${file}. ` +
      'Export them again after every rotation.'
    );
  });
}

/** Unless they were rotated during the export. */
export async function markExported(keys: SigningKeys, services: Services): Promise<void> {
  const exported = { ...keys, isExported: true };
  await services.get(Decisions).commit([replace(SIGNING_KEYS, keys, exported)]);
}

/** Imports signing keys into an account. `force` replaces any existing keys. */
export function loadSigningKeys(
  services: Services,
  email: string,
  file: string,
  { force = false }: ImportOptions,
  ask = readPassphrase,
): Promise<string> {
  return withAccount(services, email, 'signing_keys_imported', async (accountId) => {
    const exported = await readKeys(file, await keyOfFile(file, () => ask({ isNew: false })));
    const stored = fromPortable(services, SIGNING_KEYS.name, exported, new Map());
    const keys = {
      ...(stored as unknown as SigningKeys),
      ...{ _id: accountId, updatedAt: services.get(Clock).now(), version: NOT_STORED },
      isExported: true,
    };
    const { issuer, rotations } = await importSigningKeys(keys, force, services);
    const imported =
      `The account now has the signing keys of issuer ${issuer} (rotation count ${rotations}). Running instances ` +
      'sign with them within a minute.';
    return force ? [imported, ...FORCED].join('\n') : imported;
  });
}

const FORCED = [
  'Keys that are not in the file are lost, and rotations since the export are undone:',
  '- Keys withdrawn as compromised are in use and published again. If someone has a private key, rotate twice with',
  '  "compromised": true and ship new builds.',
  '- Newer keys are lost. Builds and servers that know only the restored keys reject certificates signed with newer keys.',
  '  Offline machines need new certificates. Builds that contain none of the restored keys need an update.',
  'Export the keys again.',
];

/** Logs the event as one line on stderr on success. */
async function withAccount(
  services: Services,
  givenEmail: string,
  event: 'signing_keys_exported' | 'signing_keys_imported',
  use: (accountId: AccountId) => Promise<string>,
): Promise<string> {
  const { email } = readAccountFields(givenEmail);
  const user = await services.get(AccountsService).findByEmail(email);
  if (!user) throw notFound(email);
  const { account } = user;
  const text = await use(account);
  services.get(SecurityLog).record(event, { account });
  return text;
}

/** The keys in their stored form. */
export function importSigningKeys(
  exported: SigningKeys,
  force: boolean,
  services: Services,
): Promise<SigningKeys> {
  const { _id, issuer } = exported;
  const store = services.get(Store);
  return services.get(Decisions).run(async (failed?: Change) => {
    if (failed?.collection === TOTALS) {
      throw new CommandError('The account was deleted in the meantime.');
    }
    const stored = await store.find(SIGNING_KEYS, { _id });
    const isOfIssuer = stored?.issuer === issuer;
    if (stored && !isOfIssuer && !force) {
      throw new CommandError(
        `The account has the keys of issuer ${stored.issuer}, but the file contains the keys of ${issuer}. Software ` +
          'built with the current keys would reject new certificates. To replace the keys anyway, add --force.',
      );
    }
    if (isOfIssuer && stored.rotations > exported.rotations && !force) {
      throw new CommandError(
        `The account has rotated its keys since the file was exported (rotation count ${exported.rotations}). Import ` +
          'a newer export, or undo the rotations with --force.',
      );
    }
    if (!isOfIssuer && (await isTaken(exported, store))) {
      throw new CommandError(`Another account has the keys of issuer ${issuer}.`);
    }
    // The count belongs to the account, so keys of another issuer do not lower it either.
    const rotations = Math.max(exported.rotations, stored?.rotations ?? 0);
    const keys = { ...exported, rotations };
    const change = stored ? replace(SIGNING_KEYS, stored, keys) : insert(SIGNING_KEYS, keys);
    return { result: keys, changes: [touch(TOTALS, _id), change] };
  });
}

/** Whether an issuer belongs to another account, by its keys or by its id. */
async function isTaken({ _id, issuer }: SigningKeys, store: Store): Promise<boolean> {
  if (await store.find(SIGNING_KEYS, { issuer })) return true;
  return issuer !== _id && (await store.find(TOTALS, { _id: toAccountId(issuer) })) !== null;
}

/** The keys in a file, which may also be the export of an account. */
async function readKeys(file: string, key: Buffer) {
  let keys: Readonly<Record<string, unknown>> | undefined;
  // To the end, which tells whether the file is whole.
  for await (const { collection, records } of readAccountFile(file, key)) {
    if (collection === SIGNING_KEYS.name) [keys] = records;
  }
  if (!keys) throw new CommandError(`${file} contains no signing keys.`);
  return keys as Stored & typeof keys;
}
