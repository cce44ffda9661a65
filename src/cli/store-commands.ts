import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { COLLECTIONS } from '../collections.js';
import { LINK_REQUESTS } from '../links/link-request.js';
import { LINKS } from '../links/link.js';
import { MAILS } from '../mail/mail.js';
import type { Environment } from '../shared/config/environment.js';
import { keptSecret, secretFile } from '../shared/config/generated-secret.js';
import { PARTIAL } from '../shared/write-new-file.js';
import { copyToMongo } from '../storage/copy-to-mongo.js';
import { compactStore } from '../storage/sqlite/maintenance.js';
import { backUpStore, markBackup, restoreStore } from '../storage/sqlite/backup.js';
import { CommandError } from './command-error.js';
import { progress } from './progress.js';
import { megabytes } from './megabytes.js';
import { readVariables } from './with-store.js';

const MONGODUMP =
  'Dump the whole replica set with mongodump --oplog, using a URI without a database name and a user with the backup role';

/** The data folder, for commands that create neither a store nor secrets in it. */
interface CommandFolder {
  readonly variables: Environment;
  readonly dataDir: string;
  /** The candidate secrets for the data keys, from the variables or the folder. */
  readonly licenseSecrets: readonly string[];
}

export async function backup(name: string, env = process.env): Promise<string> {
  const file = path.resolve(name);
  const { dataDir } = onSqlite(env, MONGODUMP);
  const { bytes, schema } = await backUpStore(dataDir, file);
  markBackup(dataDir);
  return [
    `${file} is a complete and verified copy of the store in ${dataDir} (${megabytes(bytes)}, schema ${schema}).`,
    'It contains no secrets, and nobody can read its license keys without LICENSE_SECRET. Keep that secret in a different place. It is in',
    'license-secret in DATA_DIR unless you set the variable.',
  ].join('\n');
}

/** Writes a verified copy to a stream, using a temporary file in the data folder. */
export async function backupTo(output: Writable & { isTTY?: boolean }, env = process.env) {
  if (output.isTTY) throw new CommandError('Redirect the backup to a file or another program.');
  const { dataDir } = onSqlite(env, MONGODUMP);
  const file = path.join(dataDir, `backup-${randomUUID()}${PARTIAL}`);
  await backUpStore(dataDir, file);
  const descriptor = fs.openSync(file, 'r');
  // Deleted now, so nothing is left behind if the reader exits.
  fs.rmSync(file);
  await pipeline(fs.createReadStream('', { fd: descriptor }), output, { end: false });
  markBackup(dataDir);
}

export async function restore(name: string, env = process.env): Promise<string> {
  const file = path.resolve(name);
  const { dataDir, licenseSecrets } = onSqlite(
    env,
    'Restore the dump with mongorestore --oplogReplay, as a user with anyAction on anyResource',
  );
  const schema = await restoreStore(file, dataDir, WITHOUT_PENDING_MAIL);
  const restored = `${file} is now the store in ${dataDir}, complete and verified (schema ${schema}).`;
  if (licenseSecrets.length > 0) return restored;
  return [
    restored,
    'Before you start the service, copy its license-secret into that folder or set LICENSE_SECRET. Without it, license keys',
    'cannot be read.',
  ].join('\n');
}

/**
 * Mail that was queued when the backup was made has since been sent or is out of date. Links are also
 * removed, because one that has been used since would work again.
 */
const WITHOUT_PENDING_MAIL = {
  [MAILS.name]: `UPDATE ${MAILS.name}
    SET status = 'failed', error = 'restored', sealed = NULL, nextAttemptAt = NULL WHERE status = 'pending'`,
  [LINK_REQUESTS.name]: `DELETE FROM ${LINK_REQUESTS.name}`,
  [LINKS.name]: `DELETE FROM ${LINKS.name}`,
};

export async function compact(env = process.env): Promise<string> {
  const { dataDir } = onSqlite(env, 'let MongoDB compact its collections');
  const { before, after } = compactStore(dataDir);
  return `The store in ${dataDir} now takes ${megabytes(after)}. It took ${megabytes(before)} before.`;
}

export async function migrateToMongodb(env = process.env): Promise<string> {
  const folder = readCommandFolder(env);
  const { dataDir } = folder;
  const uri = folder.variables.MONGODB_URI;
  if (!uri) throw new CommandError('Set MONGODB_URI to the URI of an empty database.');
  const job = { dataDir, uri, collections: COLLECTIONS };
  const show = progress();
  const { database, counts } = await copyToMongo(job, (records) => show('Copied', records));
  const copied = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(
      ([name, count]) =>
        `  ${count.toLocaleString('en').padStart(12)} ${name.replaceAll('_', ' ')}`,
    );
  return [
    `All records of the store in ${dataDir} are now in the database ${database}:`,
    ...copied,
    'Start the service with this MONGODB_URI, your other variables and these secrets as variables:',
    `  LICENSE_SECRET: ${sourceOf('LICENSE_SECRET', folder)}`,
    `  JWT_SECRET: ${sourceOf('JWT_SECRET', folder)}`,
    `Keep ${dataDir} as a backup. Do not start a service on it, because its changes would not reach the database.`,
  ].join('\n');
}

/** @throws StartupError if a variable is invalid, or a secret cannot be read */
function readCommandFolder(env: NodeJS.ProcessEnv): CommandFolder {
  const variables = readVariables(env);
  const dataDir = path.resolve(variables.DATA_DIR);
  const secrets = [
    variables.LICENSE_SECRET ?? keptSecret(dataDir, 'LICENSE_SECRET'),
    variables.LICENSE_SECRET_PREVIOUS,
  ];
  return { variables, dataDir, licenseSecrets: secrets.filter((one) => one !== undefined) };
}

function onSqlite(env: NodeJS.ProcessEnv, instead: string): CommandFolder {
  const folder = readCommandFolder(env);
  if (!folder.variables.MONGODB_URI) return folder;
  throw new CommandError(
    `This command is for SQLite, but MONGODB_URI is set. ${instead}, or unset the variable.`,
  );
}

function sourceOf(name: 'LICENSE_SECRET' | 'JWT_SECRET', { variables, dataDir }: CommandFolder) {
  if (variables[name]) return 'the value set now';
  const file = secretFile(dataDir, name);
  if (fs.existsSync(file)) return `the text in ${file}`;
  return 'the secret of the service, or a new one, in which case callers must refresh their access tokens';
}
