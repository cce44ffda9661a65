import fs from 'node:fs';
import { COLLECTIONS } from '../collections.js';
import { secretFile } from '../shared/config/kept-secret.js';
import { copyToMongo } from '../storage/copy-to-mongo.js';
import { CommandError } from './command-error.js';
import { type CommandFolder, readCommandFolder } from './command-folder.js';

/** Milliseconds between two lines of progress. */
const INTERVAL = 5_000;

/** Runs `npm run migrate-to-mongodb`, and returns the lines for the operator. */
export async function migrateToMongodb(env = process.env): Promise<string> {
  const folder = readCommandFolder(env);
  const { dataDir } = folder;
  const uri = folder.variables.MONGODB_URI;
  if (!uri) throw new CommandError('MONGODB_URI must be set: name the empty database there.');
  const job = { dataDir, uri, collections: COLLECTIONS };
  const { database, counts } = await copyToMongo(job, progress());
  const copied = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(
      ([name, count]) =>
        `  ${count.toLocaleString('en').padStart(12)} ${name.replaceAll('_', ' ')}`,
    );
  return [
    `The database ${database} has every record of the store in ${dataDir}:`,
    ...copied,
    'Start the service with this MONGODB_URI, your other variables, and the same secrets as variables:',
    `  LICENSE_SECRET: ${sourceOf('LICENSE_SECRET', folder)}`,
    `  JWT_SECRET: ${sourceOf('JWT_SECRET', folder)}`,
    `Keep ${dataDir} as a backup, and start no service on it: the database will not get what it stores there.`,
  ].join('\n');
}

/** Prints how far the copy has come, to stderr. */
function progress(): (records: number) => void {
  let printedAt = -INTERVAL;
  return (records) => {
    const now = performance.now();
    if (now - printedAt < INTERVAL) return;
    printedAt = now;
    console.error(`Copied ${records.toLocaleString('en')} records.`);
  };
}

function sourceOf(name: 'LICENSE_SECRET' | 'JWT_SECRET', { variables, dataDir }: CommandFolder) {
  if (variables[name]) return 'as it is set now';
  const file = secretFile(dataDir, name);
  if (fs.existsSync(file)) return `the text in ${file}`;
  return 'the secret of the service, or a new one: then callers have to refresh their access tokens';
}
