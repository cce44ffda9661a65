import path from 'node:path';
import { backUp, type CopiedPages } from '../storage/sqlite/backup/back-up.js';
import { restoreStore } from '../storage/sqlite/backup/restore-store.js';
import { CommandError } from './command-error.js';
import { type CommandFolder, readCommandFolder } from './command-folder.js';
import type { ProgressLine } from './progress-line.js';

const VERIFYING = 'Verifying the copy.';

const INSTEAD_OF_BACKUP =
  'dump its whole replica set with mongodump --oplog, a URI without a database name and a user with the role backup';

const INSTEAD_OF_RESTORE =
  'restore its dump with mongorestore --oplogReplay and a user who may do anyAction on anyResource';

/** Runs `npm run backup`, and returns the lines for the operator. */
export async function backUpStore(
  name: string,
  env: NodeJS.ProcessEnv,
  progress: ProgressLine,
): Promise<string> {
  const file = path.resolve(name);
  const { dataDir } = onSqlite(env, INSTEAD_OF_BACKUP);
  let reported = 0;
  const report = ({ copied, total }: CopiedPages) => {
    if (reported === 0) progress.begin('Copying pages', total);
    progress.add(copied - reported);
    reported = copied;
  };
  const { bytes, schema } = await backUp(dataDir, file, report, () => progress.print(VERIFYING));
  return [
    `${file} is a complete and verified copy of the store in ${dataDir} (${Math.ceil(bytes / 1e6)} MB, schema ${schema}).`,
    'It holds no secrets, and is of no use without LICENSE_SECRET: keep that one (license-secret in DATA_DIR, unless it is a',
    'variable) in another place.',
  ].join('\n');
}

/** Runs `npm run restore`, and returns the lines for the operator. */
export async function restoreBackup(
  name: string,
  env: NodeJS.ProcessEnv,
  progress: ProgressLine,
): Promise<string> {
  const file = path.resolve(name);
  const { dataDir, licenseSecrets } = onSqlite(env, INSTEAD_OF_RESTORE);
  const { schema } = await restoreStore(file, dataDir, licenseSecrets, () =>
    progress.print(VERIFYING),
  );
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
