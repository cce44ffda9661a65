import path from 'node:path';
import { AccountsService } from '../auth/accounts/accounts.service.js';
import { type User, USERS } from '../auth/accounts/user.js';
import { CHALLENGES, SPENT_CHALLENGES } from '../auth/factors/challenge.js';
import { dueFactors, hasFactor, type Passkey } from '../auth/factors/factors.js';
import { siteOf } from '../auth/factors/relying-party.js';
import { LOGIN_ADDRESSES, SESSIONS } from '../auth/sessions/session.js';
import { BINNED } from '../bin/binned.js';
import { COLLECTIONS } from '../collections.js';
import { LINK_REQUESTS } from '../links/link-request.js';
import { LINKS } from '../links/link.js';
import { MACHINE_KEYS } from '../machines/machine-key.js';
import { MachineIdProvider } from '../machines/machine-id.provider.js';
import { MAILS } from '../mail/mail.js';
import { PLANS } from '../plans/plan.js';
import { PORTAL_SESSIONS } from '../portal/portal-session.js';
import { PROJECTS } from '../projects/project.js';
import { commandLine } from '../shared/config/command-line.js';
import { Config } from '../shared/config/config.js';
import { IDEMPOTENCY_RECORDS } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { writeNewFile } from '../shared/write-new-file.js';
import { BulkInsert } from '../storage/bulk-insert.js';
import type { AnyCollection, Stored } from '../storage/collection.js';
import { whileStopped } from '../storage/sqlite/maintenance.js';
import { pagesOf, Store } from '../storage/store.js';
import { keyOfFile, type Part, readAccountFile, writeAccountFile } from './account-file.js';
import { readAccountFields } from './account-fields.js';
import { CommandError, notFound } from './command-error.js';
import { removeRecords, retryWhileBusy } from './login-changes.js';
import { readPassphrase } from './passphrase.js';
import { fromPortable, noteSeats, type SeatGroups, toPortable } from './portable-records.js';
import type { Services } from './with-store.js';

/** Maximum number of records in a part of a file. A part is stored in one commit. */
const PART_SIZE = 200;

/** Sessions, unfinished sign-ins, links, mail and keyed hashes, which only this deployment can use. */
const LEFT: readonly AnyCollection[] = [
  ...[SESSIONS, CHALLENGES, SPENT_CHALLENGES, PORTAL_SESSIONS],
  ...[LINKS, LINK_REQUESTS, MAILS],
  ...[LOGIN_ADDRESSES, IDEMPOTENCY_RECORDS],
];

type AnyRecord = Stored & Readonly<Record<string, unknown>>;

/** The records that move with an account. Its login comes last, so nobody can sign in before everything is stored. */
export const MOVED = COLLECTIONS.filter((one) => one.account && !LEFT.includes(one));

/** Exports an owner's account to a new file. Returns the lines for the operator. */
export async function exportAccount(
  services: Services,
  file: string,
  given: string,
  ask = readPassphrase,
): Promise<string> {
  const { email } = readAccountFields(given);
  const user = await services.get(AccountsService).findByEmail(email);
  if (user?.role !== 'owner') throw notFound(email);
  const { account } = user;
  const passphrase = await ask({ isNew: true });
  const count = await writeNewFile(path.resolve(file), (partial) =>
    writeAccountFile(partial, passphrase, partsOf(services, account)),
  );
  services
    .get(SecurityLog)
    .record('account_command', { action: 'export', account, user: user._id });
  return `${count.toLocaleString('en')} records of the account ${email} are in ${file}.`;
}

/** Imports an account from a file, all or nothing. Returns the lines for the operator. */
export function importAccount(
  services: Services,
  file: string,
  ask = readPassphrase,
): Promise<string> {
  const { mongodbUri, dataDir } = services.get(Config);
  const run = () => importFile(services, file, ask);
  return mongodbUri ? run() : whileStopped(dataDir, run);
}

async function importFile(
  services: Services,
  file: string,
  ask: typeof readPassphrase,
): Promise<string> {
  const key = await keyOfFile(file, () => ask({ isNew: false }));
  const { owner, groups, needsCodes } = await verify(services, file, key);
  const { account } = owner;
  // These records are left over from an interrupted import.
  await removeAccount(services, account);
  try {
    const count = await insertAll(services, file, key, groups);
    services
      .get(SecurityLog)
      .record('account_command', { action: 'import', account, user: owner._id });
    return [
      `Imported the account of ${owner.email}: ${count.toLocaleString('en')} records.`,
      `Start the service. If the account is disabled, run ${commandLine(`user enable ${owner.email}`)}.`,
      ...(needsCodes ? ['Members with a second factor need new recovery codes.'] : []),
    ].join('\n');
  } catch (error) {
    await removeAccount(services, account);
    throw error;
  }
}

async function* partsOf(services: Services, account: AccountId): AsyncGenerator<Part> {
  for (const collection of MOVED) {
    const isHashed = (record: AnyRecord) =>
      collection === PROJECTS ||
      collection === PLANS ||
      (collection === BINNED && record.kind === 'project');
    const pages = pagesOf<AnyRecord>(services.get(Store), collection, {}, '_id', PART_SIZE);
    for await (const page of pages) {
      const own = page.filter((record) => record[collection.account!] === account);
      if (collection !== MACHINE_KEYS && own.length > 0) {
        const records = own.map((record) => toPortable(services, collection.name, record));
        yield { collection: collection.name, records };
      }
      const hashed = own.filter(isHashed).map(({ _id }) => _id);
      if (hashed.length > 0) yield machineKeysOf(services, account, hashed);
    }
  }
}

/** The keys for hashing the machines of projects and plans. */
function machineKeysOf(services: Services, accountId: AccountId, ids: readonly string[]): Part {
  const records = ids.map((_id) => {
    const key = services.get(MachineIdProvider).keyFor(_id).export();
    return { _id, version: 0, accountId, sealedKey: key.toString('base64url') };
  });
  return { collection: MACHINE_KEYS.name, records };
}

/** Reads the whole file before anything is stored. */
async function verify(services: Services, file: string, key: Buffer) {
  const store = services.get(Store);
  const groups: SeatGroups = new Map();
  let owner: User | undefined;
  let needsCodes = false;
  for await (const { collection, records } of readAccountFile(file, key)) {
    for (const record of records as readonly AnyRecord[]) {
      noteSeats(services, collection, record, groups);
      if (collection !== USERS.name) continue;
      const user = record as unknown as User;
      if (user.role === 'owner') owner = user;
      const { _id, email } = user;
      if ((await store.find(USERS, { email })) ?? (await store.find(USERS, { _id }))) {
        throw new CommandError(
          `A login with the address ${email} already exists. Nothing was imported.`,
        );
      }
      requireUsableFactors(services, user);
      needsCodes ||= hasFactor(user.factors);
    }
  }
  if (!owner) throw new CommandError('The file does not contain the owner of the account.');
  if (await store.find(TOTALS, { _id: owner.account })) {
    throw new CommandError('The account already exists. Nothing was imported.');
  }
  return { owner, groups, needsCodes };
}

/** Rejects a login that would need only its password here because its passkeys are for another domain. */
function requireUsableFactors(services: Services, { email, factors }: User): void {
  const site = siteOf(services.get(Config).publicUrl);
  if (!hasFactor(factors) || dueFactors(factors, site?.id).length > 0) return;
  const [{ rpId }] = factors.passkeys as readonly [Passkey];
  throw new CommandError(
    `${email} signs in with a passkey for ${rpId}, which does not work here. Set PUBLIC_URL to that domain, or run ` +
      `"user reset-factors ${email}" in the first deployment and export the account again. Nothing was imported.`,
  );
}

async function insertAll(
  services: Services,
  file: string,
  key: Buffer,
  groups: SeatGroups,
): Promise<number> {
  const own = services.get(DataKeys).machine.export().toString('base64url');
  let count = 0;
  for await (const { collection: name, records } of readAccountFile(file, key)) {
    const collection = MOVED.find((one) => one.name === name);
    if (!collection)
      throw new CommandError(
        `The file is from another version of the service: it contains ${name}.`,
      );
    const needed = (records as readonly AnyRecord[]).filter(
      ({ sealedKey }) => collection !== MACHINE_KEYS || sealedKey !== own,
    );
    const stored = needed.map((record) => fromPortable(services, name, record, groups));
    if (stored.length === 0) continue;
    const failed = await retryWhileBusy(() => services.get(BulkInsert).insert(collection, stored));
    if (failed) {
      throw new CommandError(
        `The ${name.replaceAll('_', ' ')} ${failed._id} cannot be imported: its id or a unique value already exists. ` +
          'Nothing was imported.',
      );
    }
    count += stored.length;
  }
  return count;
}

/** Removes what an import has stored for an account that did not exist before. */
async function removeAccount(services: Services, account: AccountId): Promise<void> {
  for (const collection of MOVED) {
    await removeRecords(services, collection, { [collection.account!]: account });
  }
}
