import { createHash } from 'node:crypto';
import { StartupError } from '../../shared/errors/startup-error.js';
import { canUnwrap } from '../../shared/sealing/data-keys.js';
import { DEPLOYMENT } from '../../shared/sealing/deployment.js';
import type { AnyCollection } from '../collection.js';
import { explainCopyFailure } from '../mongo/copy/copy-failure.js';
import { MongoTarget } from '../mongo/copy/mongo-target.js';
import { SqliteSource } from '../sqlite/copy/sqlite-source.js';
import { type CopyProgress, copyStore, type Counts, verifyCopy } from './copy-store.js';

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
 * interrupted at any moment: when it is called again, it begins anew.
 *
 * @throws StartupError, before anything is written, where the store, the secret or the database do not fit
 */
export async function copyToMongo(
  { dataDir, uri, licenseSecrets, collections }: CopyToMongo,
  progress: CopyProgress,
): Promise<Copied> {
  const source = await SqliteSource.open(dataDir, collections);
  try {
    const wrappedKeys = await wrappedKeysOf(source, dataDir, licenseSecrets);
    const deployment = createHash('sha256').update(wrappedKeys).digest('base64url');
    const target = await MongoTarget.connect(uri, collections);
    try {
      await target.begin(deployment);
      await copyStore(source, target, progress);
      const counts = await verifyCopy(source, target, progress);
      progress.begin('Building indexes', 1);
      await target.finish();
      progress.add(1);
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
