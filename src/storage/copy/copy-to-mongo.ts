import { isDeepStrictEqual } from 'node:util';
import { mongo } from 'mongoose';
import { StartupError } from '../../shared/errors/startup-error.js';
import { canUnwrap } from '../../shared/sealing/data-keys.js';
import { DEPLOYMENT } from '../../shared/sealing/deployment.js';
import type { AnyCollection, Stored } from '../collection.js';
import { isOutage } from '../mongo/connection/driver-errors.js';
import { toStartupError } from '../mongo/connection/startup-failure.js';
import { MongoTarget } from '../mongo/copy/mongo-target.js';
import { SqliteStore } from '../sqlite/connection/sqlite-store.js';
import { own, requireStore } from '../sqlite/connection/store-folder.js';
import type { Store } from '../store.js';

export interface CopyToMongo {
  readonly dataDir: string;
  readonly uri: string;
  /** One of them opens the data keys. */
  readonly licenseSecrets: readonly string[];
  /** Every kind of record. */
  readonly collections: readonly AnyCollection[];
}

/** The completed copy: its database, and the number of records of each collection. */
export interface Copied {
  readonly database: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Is told how many records are copied, and then verified, so far. */
export type Report = (phase: 'Copied' | 'Verified', records: number) => void;

/** Records that are read at once. A license has at most some 2 KB. */
const PAGE = 1_000;

/**
 * Copies the SQLite store of a data folder to an empty database of MongoDB, and verifies the copy. It may be
 * interrupted at any moment: the next call starts over.
 *
 * @throws StartupError, before anything is written, if the store, the secret or the database do not fit
 */
export async function copyToMongo(
  { dataDir, uri, licenseSecrets, collections }: CopyToMongo,
  report: Report,
): Promise<Copied> {
  requireStore(dataDir);
  const source = SqliteStore.open(dataDir, collections, 'command');
  const { database } = source;
  let ownership, target;
  try {
    // No service writes to the store, and no command.
    ownership = own(dataDir);
    database.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
    await requireSecret(source, dataDir, licenseSecrets);
    target = await MongoTarget.connect(uri, collections);
    await target.begin();
    await copy(source, target, collections, report);
    const counts = await verifyCopy(source, target, collections, report);
    await target.finish();
    return { database: target.name, counts };
  } catch (error) {
    throw explainCopyFailure(error);
  } finally {
    await target?.close();
    // SQLite ends the transaction itself after some errors.
    if (database.isTransaction) database.exec('ROLLBACK');
    await source.close();
    ownership?.release();
  }
}

async function requireSecret(
  source: Store,
  dataDir: string,
  licenseSecrets: readonly string[],
): Promise<void> {
  const keys = await source.find(DEPLOYMENT, { _id: 'data-keys' });
  if (!keys) {
    throw new StartupError(`The store in ${dataDir} was never used: there is nothing to copy.`);
  }
  if (canUnwrap(keys.value, licenseSecrets)) return;
  throw new StartupError(
    `LICENSE_SECRET does not open the store in ${dataDir}: set the secret that the service is started with there, ` +
      'or put license-secret back into that folder.',
  );
}

async function copy(
  source: Store,
  target: MongoTarget,
  collections: readonly AnyCollection[],
  report: Report,
): Promise<void> {
  let copied = 0;
  for (const collection of collections) {
    for await (const page of pagesOf(source, collection)) {
      await target.insert(collection, page);
      report('Copied', (copied += page.length));
    }
  }
}

/**
 * Compares each record of the target with the source's.
 *
 * @returns the number of records of each collection
 * @throws StartupError that names the first difference
 */
export async function verifyCopy(
  source: Store,
  target: Pick<MongoTarget, 'name' | 'read'>,
  collections: readonly AnyCollection[],
  report: Report,
): Promise<Copied['counts']> {
  const counts: Record<string, number> = {};
  let verified = 0;
  for (const collection of collections) {
    const copies = target.read(collection)[Symbol.asyncIterator]();
    const nextCopy = async () => (await copies.next()).value as Stored | undefined;
    const before = verified;
    for await (const page of pagesOf(source, collection)) {
      for (const record of page) {
        const copied = await nextCopy();
        if (!isDeepStrictEqual(copied, record)) throw differs(collection, target, record, copied);
      }
      report('Verified', (verified += page.length));
    }
    const surplus = await nextCopy();
    if (surplus) throw differs(collection, target, undefined, surplus);
    counts[collection.name] = verified - before;
  }
  return counts;
}

/** The records of a collection in pages, in the order of their ids. */
async function* pagesOf(
  source: Store,
  collection: AnyCollection,
): AsyncGenerator<readonly Stored[]> {
  const order = { by: '_id', direction: 'asc' } as const;
  for (let last: string | undefined = ''; last !== undefined;) {
    const slice = { limit: PAGE, after: { value: last, _id: last } };
    const page: readonly Stored[] = await source
      .list<Stored>(collection, {}, order, slice)
      .catch((error: Error) => {
        throw unreadable(error);
      });
    if (page.length > 0) yield page;
    last = page.at(-1)?._id;
  }
}

/** Of two that differ, names the one whose id the other store does not have. */
function differs(
  { name }: AnyCollection,
  target: Pick<MongoTarget, 'name'>,
  record: Stored | undefined,
  copied: Stored | undefined,
): StartupError {
  const ids = [record?._id, copied?._id].filter((id) => id !== undefined);
  return new StartupError(
    `The copy differs from the store in ${ids.toSorted()[0]} (${titleOf(name)}): name another empty database in ` +
      `MONGODB_URI, or drop the database ${target.name} as an administrator, and run the command again.`,
  );
}

const unreadable = ({ message }: Error) =>
  new StartupError(
    `The store in DATA_DIR cannot be read (${message}): make its disk and its files intact, or restore a backup, and ` +
      'run the command again.',
  );

/** The operator's sentence for a failure of MongoDB; other errors as they are. */
export function explainCopyFailure(error: unknown): unknown {
  if (isOutage(error)) {
    return new StartupError(
      'The connection to MongoDB was lost: make the replica set of MONGODB_URI reachable, and run the command again.',
    );
  }
  return error instanceof mongo.MongoError ? toStartupError(error) : error;
}

/** The name of a collection as the operator reads it. */
export const titleOf = (name: string): string => name.replaceAll('_', ' ');
