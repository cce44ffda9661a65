import type { Connection, mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import type { AnyCollection } from '../../collection.js';
import type { OpenMode } from '../../open-mode.js';
import { databaseOf } from '../documents/documents.js';
import { createCollections, createIndexes, modelsOf } from '../documents/schemas.js';
import { runOnce, SCHEMA_ID, type SchemaRecord } from './run-once.js';

/** The collection with the schema of the database, and the record of an unfinished copy. */
export const MIGRATIONS_COLLECTION = 'migrations';

/** Present while the records of a SQLite store are copied into the database, so that no version starts on it. */
export const UNFINISHED_COPY = 'unfinished-copy';

/** A change to the meaning of stored records. It may be interrupted and repeated. */
export type Migration = (database: mongo.Db) => Promise<void>;

/**
 * Each leads from one schema to the next. Never change a released migration: append another one. Programs one schema behind keep serving
 * the database. If a migration does not allow that, append an empty one before it.
 */
const MIGRATIONS: readonly Migration[] = [];

/** The schema that this program writes. */
export const SCHEMA = MIGRATIONS.length + 1;

/**
 * Brings a database to the schema of this program, unless a program of the next schema has prepared it.
 *
 * @throws StartupError if the database is too new, an unfinished copy, or an older one that a command may not migrate
 */
export async function prepareDatabase(
  connection: Connection,
  collections: readonly AnyCollection[],
  mode: OpenMode,
  migrations = MIGRATIONS,
): Promise<void> {
  const schema = migrations.length + 1;
  const models = modelsOf(connection, collections);
  await rejectUnfinishedCopy(connection);
  const found = await recordSchema(connection, schema);
  const { version, until } = found ?? { version: schema };
  if (version > schema + 1) {
    throw new StartupError(
      `The database ${connection.name} has schema ${version} and this program knows ${schema}: ` +
        'use the newer version that has written it.',
    );
  }
  if (version > schema) return;
  const isBehind = version < schema || until !== undefined;
  if (mode !== 'service') {
    if (isBehind) throw earlier(connection);
    if (found) return;
  }
  await createCollections(models);
  for (const [index, migration] of isBehind ? migrations.entries() : []) {
    await runOnce(schemasOf(connection), index + 2, () => migration(databaseOf(connection)));
  }
  await createIndexes(models);
}

/**
 * Records the schema of a database that has none.
 *
 * @returns the record that it had
 */
export const recordSchema = (
  connection: Connection,
  version = SCHEMA,
): Promise<SchemaRecord | null> =>
  schemasOf(connection).findOneAndUpdate(
    { _id: SCHEMA_ID },
    { $setOnInsert: { version } },
    { upsert: true },
  );

const schemasOf = (connection: Connection) =>
  databaseOf(connection).collection<SchemaRecord>(MIGRATIONS_COLLECTION);

const earlier = ({ name }: Connection) =>
  new StartupError(
    `The database ${name} was written by an earlier version: ` +
      'start the service of this version first, which migrates it.',
  );

async function rejectUnfinishedCopy(connection: Connection): Promise<void> {
  const migrations = databaseOf(connection).collection<{ _id: string }>(MIGRATIONS_COLLECTION);
  if (!(await migrations.findOne({ _id: UNFINISHED_COPY }))) return;
  throw new StartupError(
    `The database ${connection.name} holds an unfinished copy of a SQLite store: complete it with ` +
      'npm run migrate-to-mongodb, name another database, or drop this one as an administrator.',
  );
}
