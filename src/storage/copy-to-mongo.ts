import { mongo } from 'mongoose';
import { StartupError } from '../shared/errors/startup-error.js';
import { Deadline, isStoreUnavailable } from '../shared/request-context.js';
import { insert } from './changes.js';
import type { AnyCollection, Stored } from './collection.js';
import { connect } from './mongo/connect.js';
import { isOutage } from './mongo/driver-errors.js';
import { MongoStore } from './mongo/mongo-store.js';
import { beginCopy, endCopy } from './mongo/prepare-database.js';
import { toStartupError } from './mongo/startup-failure.js';
import { Statements } from './mongo/statements.js';
import { own, requireStore } from './sqlite/open-database.js';
import { SqliteStore } from './sqlite/sqlite-store.js';
import { StoreMetrics } from './store-metrics.js';
import { pagesOf, type Store } from './store.js';

export interface CopyToMongo {
  readonly dataDir: string;
  readonly uri: string;
  /** Every kind of record. */
  readonly collections: readonly AnyCollection[];
}

/** The completed copy: its database, and the number of records per collection. */
export interface Copied {
  readonly database: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Records per transaction. A license has at most about 2 KB. */
const PAGE = 1_000;

/** No caller waits for these transactions. */
const PATIENT: Deadline = { milliseconds: 60_000 };

/**
 * Copies the SQLite store of a data folder to an empty MongoDB database. Can be interrupted at any moment; the next call starts over.
 *
 * @param report receives the number of records copied so far
 * @throws StartupError before writing anything, if the store or database is unsuitable
 */
export async function copyToMongo(
  { dataDir, uri, collections }: CopyToMongo,
  report: (records: number) => void,
): Promise<Copied> {
  requireStore(dataDir);
  const source = SqliteStore.open(dataDir, collections, 'command');
  let ownership, connection;
  try {
    // Neither the service nor a command writes to the store.
    ownership = own(dataDir);
    source.database.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
    connection = await connect(uri);
    await beginCopy(connection, collections);
    const metrics = new StoreMetrics();
    const statements = new Statements(connection, PATIENT, metrics);
    const client = connection.getClient();
    const target = await MongoStore.open(client, collections, statements, metrics);
    const counts: Record<string, number> = {};
    let copied = 0;
    for (const collection of collections) {
      counts[collection.name] = 0;
      for await (const page of readAll(source, collection)) {
        const { ok } = await target.commit(page.map((record) => insert(collection, record)));
        if (!ok) throw new Error(`Another process is writing to ${connection.name}`);
        counts[collection.name]! += page.length;
        report((copied += page.length));
      }
    }
    await endCopy(connection);
    return { database: connection.name, counts };
  } catch (error) {
    throw explainCopyFailure(error);
  } finally {
    await connection?.close();
    // SQLite ends the transaction itself after some errors.
    if (source.database.isTransaction) source.database.exec('ROLLBACK');
    await source.close();
    ownership?.release();
  }
}

/** Pages through a collection by id. */
async function* readAll(
  source: Store,
  collection: AnyCollection,
): AsyncGenerator<readonly Stored[]> {
  try {
    yield* pagesOf<Stored>(source, collection, {}, '_id', PAGE);
  } catch (error) {
    throw unreadable(error as Error);
  }
}

const unreadable = ({ message }: Error) =>
  new StartupError(
    `The store in DATA_DIR cannot be read (${message}). Repair the disk and its files or restore a backup, then ` +
      'run the command again.',
  );

/** The message for the operator about a MongoDB failure; other errors are returned unchanged. */
export function explainCopyFailure(error: unknown): unknown {
  if (isOutage(error) || isStoreUnavailable(error)) {
    return new StartupError(
      'The connection to MongoDB was lost. Make sure that the replica set in MONGODB_URI is reachable, then run the command again.',
    );
  }
  return error instanceof mongo.MongoError ? toStartupError(error) : error;
}
