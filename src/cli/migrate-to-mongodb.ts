import fs from 'node:fs';
import { COLLECTIONS } from '../collections.js';
import { secretFile } from '../shared/config/kept-secret.js';
import { copyToMongo, type Report, titleOf } from '../storage/copy/copy-to-mongo.js';
import { CommandError } from './command-error.js';
import { type CommandFolder, readCommandFolder } from './command-folder.js';

/** Milliseconds between two lines of progress. */
const INTERVAL = 5_000;

/** Runs `npm run migrate-to-mongodb`, and returns the lines for the operator. */
export async function migrateToMongodb(env = process.env): Promise<string> {
  const folder = readCommandFolder(env);
  const { dataDir, licenseSecrets } = folder;
  const uri = folder.variables.MONGODB_URI;
  if (!uri) throw new CommandError('MONGODB_URI must be set: name the empty database there.');
  const job = { dataDir, uri, licenseSecrets, collections: COLLECTIONS };
  const { database, counts } = await copyToMongo(job, progress());
  const copied = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `  ${count.toLocaleString('en').padStart(12)} ${titleOf(name)}`);
  return [
    `The database ${database} has every record of the store in ${dataDir}, each compared with it:`,
    ...copied,
    'Start the service with this MONGODB_URI, your other variables, and the same secrets as variables:',
    `  LICENSE_SECRET: ${sourceOf('LICENSE_SECRET', folder)}`,
    `  JWT_SECRET: ${sourceOf('JWT_SECRET', folder)}`,
    `Keep ${dataDir} as a backup, and start no service on it: the database will not get what it stores there.`,
  ].join('\n');
}

/** Prints how far the copy has come, to stderr. */
function progress(): Report {
  let printed = { phase: '', at: 0 };
  return (phase, records) => {
    const now = performance.now();
    if (phase === printed.phase && now - printed.at < INTERVAL) return;
    printed = { phase, at: now };
    console.error(`${phase} ${records.toLocaleString('en')} records.`);
  };
}

function sourceOf(name: 'LICENSE_SECRET' | 'JWT_SECRET', { variables, dataDir }: CommandFolder) {
  if (variables[name]) return 'as it is set now';
  const file = secretFile(dataDir, name);
  if (fs.existsSync(file)) return `the text in ${file}`;
  return 'the secret of the service, or a new one: then callers have to refresh their access tokens';
}
