import fs from 'node:fs';
import { secretFile } from '../shared/config/kept-secret.js';
import { copyToMongo } from '../storage/copy/copy-to-mongo.js';
import { ALL_KINDS, KINDS } from '../storage/stored-records.js';
import { CommandError } from './command-error.js';
import { type CommandFolder, readCommandFolder } from './command-folder.js';
import { parseCommandLine } from './parse-command-line.js';
import type { ProgressLine } from './progress-line.js';

export const USAGE = [
  'Usage:',
  '  MONGODB_URI=mongodb://... npm run migrate-to-mongodb',
  'copies the SQLite store in DATA_DIR into the empty database of MONGODB_URI, and verifies each record. Stop the',
  'service first. If it is interrupted, run it again: it goes on where it stopped.',
].join('\n');

/**
 * Runs a command line of `npm run migrate-to-mongodb` with the store and the database of the environment.
 *
 * @returns the lines for the operator on stdout
 * @throws UsageError, CommandError, StartupError
 */
export async function moveToMongodb(
  args: string[],
  env: NodeJS.ProcessEnv,
  progress: ProgressLine,
): Promise<string> {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  if (parseCommandLine({ args, options }).values.help) return USAGE;
  const folder = readCommandFolder(env);
  const { dataDir, licenseSecrets } = folder;
  const uri = folder.variables.MONGODB_URI;
  if (!uri) throw new CommandError('MONGODB_URI must be set: name the empty database there.');
  const { database, counts } = await copyToMongo(
    { dataDir, uri, licenseSecrets },
    progress,
    (text) => progress.print(text),
  );
  const copied = ALL_KINDS.filter((kind) => counts[kind] > 0).map(
    (kind) => `  ${counts[kind].toLocaleString('en').padStart(12)} ${KINDS[kind]}`,
  );
  return [
    `The database ${database} has every record of the store in ${dataDir}, each verified by its checksum:`,
    ...copied,
    'Start the service with this MONGODB_URI, your other variables, and the same secrets as variables:',
    `  LICENSE_SECRET: ${sourceOf('LICENSE_SECRET', folder)}`,
    `  JWT_SECRET: ${sourceOf('JWT_SECRET', folder)}`,
    `Keep ${dataDir} as a backup, and start no service on it: the database will not get what it stores there.`,
  ].join('\n');
}

function sourceOf(name: 'LICENSE_SECRET' | 'JWT_SECRET', { variables, dataDir }: CommandFolder) {
  if (variables[name]) return 'as it is set now';
  const file = secretFile(dataDir, name);
  if (fs.existsSync(file)) return `the text in ${file}`;
  return 'the one that the service had, or a new one, with which callers have to refresh their access tokens';
}
