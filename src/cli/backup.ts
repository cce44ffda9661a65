import path from 'node:path';
import { backUpStore, restoreStore } from '../storage/sqlite/backup.js';
import { CommandError } from './command-error.js';
import { type CommandFolder, readCommandFolder } from './command-folder.js';

/** Runs `npm run backup`, and returns the lines for the operator. */
export async function backup(name: string, env = process.env): Promise<string> {
  const file = path.resolve(name);
  const { dataDir } = onSqlite(
    env,
    'dump its whole replica set with mongodump --oplog, a URI without a database name and a user with the role backup',
  );
  const { bytes, schema } = await backUpStore(dataDir, file);
  return [
    `${file} is a complete and verified copy of the store in ${dataDir} (${Math.ceil(bytes / 1e6)} MB, schema ${schema}).`,
    'It holds no secrets, and is of no use without LICENSE_SECRET: keep that secret (license-secret in DATA_DIR, unless it is a',
    'variable) in another place.',
  ].join('\n');
}

/** Runs `npm run restore`, and returns the lines for the operator. */
export async function restore(name: string, env = process.env): Promise<string> {
  const file = path.resolve(name);
  const { dataDir, licenseSecrets } = onSqlite(
    env,
    'restore its dump with mongorestore --oplogReplay and a user who may do anyAction on anyResource',
  );
  const schema = await restoreStore(file, dataDir);
  const restored = `${file} is now the store in ${dataDir}, complete and verified (schema ${schema}).`;
  if (licenseSecrets.length > 0) return restored;
  return [
    restored,
    'Before you start the service, put its license-secret into that folder, or set LICENSE_SECRET: without it no license key',
    'can be read.',
  ].join('\n');
}

function onSqlite(env: NodeJS.ProcessEnv, instead: string): CommandFolder {
  const folder = readCommandFolder(env);
  if (!folder.variables.MONGODB_URI) return folder;
  throw new CommandError(
    `This command is for SQLite, and MONGODB_URI is set: ${instead}, or unset the variable.`,
  );
}
