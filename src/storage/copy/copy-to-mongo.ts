import { createHash } from 'node:crypto';
import { StartupError } from '../../shared/errors/startup-error.js';
import { canUnwrap } from '../../shared/sealing/data-keys.js';
import { DEPLOYMENT } from '../../shared/sealing/deployment.js';
import type { AnyCollection } from '../collection.js';
import { explainCopyFailure } from '../mongo/copy/copy-failure.js';
import { type Counts, MongoTarget } from '../mongo/copy/mongo-target.js';
import { SqliteSource } from '../sqlite/copy/sqlite-source.js';
import { type CopyProgress, copyStore, verifyCopy } from './copy-store.js';

export interface CopyToMongo {
  readonly dataDir: string;
  readonly uri: string;
  /** Of which one opens the data keys. */
  readonly licenseSecrets: readonly string[];
  /** Every kind of record. */
  readonly collections: readonly AnyCollection[];
}

/** The completed copy: its database, and the number of records of each collection. */
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
  { dataDir, uri, licenseSecrets, collections }: CopyToMongo,
  progress: CopyProgress,
  note: (text: string) => void,
): Promise<Copied> {
  const source = await SqliteSource.open(dataDir, collections);
  try {
    const wrappedKeys = await wrappedKeysOf(source, dataDir, licenseSecrets);
    // Equal for every copy of the same store.
    const deployment = createHash('sha256').update(wrappedKeys).digest('base64url');
    const target = await MongoTarget.connect(uri, collections);
    try {
      const begun = await target.begin({ deployment, version: source.version });
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
    await source.close();
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

/** The data keys, wrapped with one of the secrets. */
async function wrappedKeysOf(
  { store }: SqliteSource,
  dataDir: string,
  licenseSecrets: readonly string[],
): Promise<string> {
  const keys = await store.find(DEPLOYMENT, { _id: 'data-keys' });
  if (!keys) {
    throw new StartupError(`The store in ${dataDir} was never used: there is nothing to copy.`);
  }
  if (canUnwrap(keys.value, licenseSecrets)) return keys.value;
  throw new StartupError(
    `LICENSE_SECRET does not open the store in ${dataDir}: set the one that the service is started with there, ` +
      'or put license-secret back into that folder.',
  );
}
