import { StartupError } from '../../shared/errors/startup-error.js';
import { canUnwrap } from '../../shared/sealing/data-keys.js';
import { explainCopyFailure } from '../mongo/copy/copy-failure.js';
import { MongoTarget } from '../mongo/copy/mongo-target.js';
import { SqliteSource } from '../sqlite/copy/sqlite-source.js';
import type { Counts } from '../stored-records.js';
import { type CopyProgress, copyStore, verifyCopy } from './copy-store.js';

export interface CopyToMongo {
  readonly dataDir: string;
  readonly uri: string;
  /** Of which one opens the data keys. */
  readonly licenseSecrets: readonly string[];
}

/** The completed copy: its database, and the number of records of each kind. */
export interface Copied {
  readonly database: string;
  readonly counts: Counts;
}

/**
 * Copies the SQLite store of a data folder into an empty database of MongoDB, and verifies the copy. It may be
 * interrupted at any moment, and goes on when it is called again.
 *
 * @param note is given a sentence where an earlier copy is continued or replaced
 * @throws StartupError, before anything is written, where the store, the secret or the database do not fit
 */
export async function copyToMongo(
  { dataDir, uri, licenseSecrets }: CopyToMongo,
  progress: CopyProgress,
  note: (text: string) => void,
): Promise<Copied> {
  const source = SqliteSource.open(dataDir);
  try {
    requireSecret(source, dataDir, licenseSecrets);
    const target = await MongoTarget.connect(uri);
    try {
      const { deployment, version } = source;
      const begun = await target.begin({ deployment, version });
      if (begun === 'continued') note('An interrupted copy goes on where it stopped.');
      if (begun === 'anew')
        note('The store has changed since a copy was interrupted: it is copied anew.');
      const counts = (await target.verified()) ?? (await copyAndVerify(source, target, progress));
      note('Building the indexes.');
      await target.finish();
      return { database: target.name, counts };
    } catch (error) {
      throw explainCopyFailure(error);
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

async function copyAndVerify(
  source: SqliteSource,
  target: MongoTarget,
  progress: CopyProgress,
): Promise<Counts> {
  await copyStore(source, target, progress);
  const counts = await verifyCopy(source, target, progress);
  await target.markVerified(counts);
  return counts;
}

function requireSecret(
  { wrappedKeys }: SqliteSource,
  dataDir: string,
  licenseSecrets: readonly string[],
): void {
  if (wrappedKeys === undefined) {
    throw new StartupError(`The store in ${dataDir} was never used: there is nothing to copy.`);
  }
  if (canUnwrap(wrappedKeys, licenseSecrets)) return;
  throw new StartupError(
    `LICENSE_SECRET does not open the store in ${dataDir}: set the one that the service is started with there, ` +
      'or put license-secret back into that folder.',
  );
}
