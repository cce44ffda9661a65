import { type Db, type IndexDescription, MongoServerError } from 'mongodb';
import { StartupError } from '../../shared/errors/startup-error.js';
import { type AnyCollection, SCHEMA } from '../collection.js';
import type { OpenMode } from '../store.js';
import { indexSpecs } from './indexes.js';
import { RATE_LIMIT_WINDOWS, WINDOWS_INDEX } from './mongo-rate-limits.js';

/** The collection with the one record that says what a database is. */
export const DATABASE_INFO = 'database_info';

interface DatabaseInfo {
  readonly _id: 'schema';
  readonly version: number;
  /** Present while a SQLite store is copied into the database. */
  readonly isUnfinishedCopy?: true;
}

const infoOf = (database: Db) => database.collection<DatabaseInfo>(DATABASE_INFO);

/** NamespaceExists. */
const EXISTS = 48;

/**
 * Creates what a database lacks of the declared collections and indexes, unless a program of the next schema has prepared it.
 *
 * @throws StartupError if the database is too new, or an unfinished copy
 */
export async function prepareDatabase(
  database: Db,
  collections: readonly AnyCollection[],
  mode: OpenMode,
): Promise<void> {
  const found = await infoOf(database).findOneAndUpdate(
    { _id: 'schema' },
    { $setOnInsert: { version: SCHEMA } },
    { upsert: true },
  );
  if (found?.isUnfinishedCopy) {
    throw new StartupError(
      `The database ${database.databaseName} holds an unfinished copy of a SQLite store: complete it with ` +
        'npm run migrate-to-mongodb, name another database, or drop this one as an administrator.',
    );
  }
  if (found && found.version > SCHEMA + 1) {
    throw new StartupError(
      `The database ${database.databaseName} has schema ${found.version} and this program knows ${SCHEMA}: ` +
        'use the newer version that has written it.',
    );
  }
  if (found && (mode === 'command' || found.version > SCHEMA)) return;
  await createAll(database, collections);
}

async function createAll(database: Db, collections: readonly AnyCollection[]): Promise<void> {
  const create = async (name: string, indexes: IndexDescription[]) => {
    // A transaction cannot create it.
    await database.createCollection(name).catch((error: unknown) => {
      if (!(error instanceof MongoServerError) || error.code !== EXISTS) throw error;
    });
    if (indexes.length > 0) await database.collection(name).createIndexes(indexes);
  };
  const declared = collections.map((each) => create(each.name, indexSpecs(each)));
  await Promise.all([...declared, create(RATE_LIMIT_WINDOWS, [WINDOWS_INDEX])]);
}

/**
 * Prepares an empty database, or one with an unfinished copy, which is dropped, for a copy. Until {@link endCopy}, no program starts
 * on it.
 *
 * @throws StartupError if the database holds anything else
 */
export async function beginCopy(
  database: Db,
  collections: readonly AnyCollection[],
): Promise<void> {
  const info = infoOf(database);
  const existing = await database.listCollections({}, { nameOnly: true }).toArray();
  const names = existing.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
  if (!(await info.findOne({ isUnfinishedCopy: true }))) {
    if (names[0] !== undefined) {
      throw new StartupError(
        `The database ${database.databaseName} is not empty (it has ${names[0]}): name an empty one in MONGODB_URI.`,
      );
    }
    await info.insertOne({ _id: 'schema', version: SCHEMA, isUnfinishedCopy: true });
  }
  for (const name of names) if (name !== DATABASE_INFO) await database.dropCollection(name);
  await Promise.all(collections.map(({ name }) => database.createCollection(name)));
}

/** Makes a complete copy a database that services start on. Its indexes are built faster now, over all records. */
export async function endCopy(database: Db, collections: readonly AnyCollection[]): Promise<void> {
  await createAll(database, collections);
  await infoOf(database).updateOne({ _id: 'schema' }, { $unset: { isUnfinishedCopy: '' } });
}
