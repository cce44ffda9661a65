import type { Connection, mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { MIGRATIONS_COLLECTION } from '../schemas/migration.schema.js';
import { lifeOfALicense } from './001-life-of-a-license.js';
import { searchEmails } from './002-search-emails.js';
import { familiesOfSessions } from './003-families-of-sessions.js';
import { idempotencyRecords } from './004-idempotency-records.js';
import type { Migration } from './migration.js';

/** In order. A released migration is never changed: a change is one more migration. */
const MIGRATIONS: readonly Migration[] = [
  lifeOfALicense,
  searchEmails,
  familiesOfSessions,
  idempotencyRecords,
];

/**
 * To be called before anything is changed in the database.
 *
 * @throws StartupError where the database is newer than this program
 */
export async function requireKnownMigrations(connection: Connection): Promise<void> {
  const known = MIGRATIONS.map(({ name }) => name);
  const unknown = await migrationsOf(databaseOf(connection)).findOne({ _id: { $nin: known } });
  if (!unknown) return;
  throw new StartupError(
    `The database ${connection.name} has had the migration ${unknown._id}, which this program does not know: ` +
      'start the newer version that has written it.',
  );
}

/** Runs the migrations that the database has not had. It may be interrupted, and run in several instances at once. */
export async function migrate(connection: Connection): Promise<void> {
  const database = databaseOf(connection);
  for (const migration of MIGRATIONS) {
    if (await isDone(database, migration, {})) continue;
    await migration.change(database);
    await connection.transaction((session) => finish(database, migration, session));
  }
}

async function finish(database: mongo.Db, migration: Migration, session: mongo.ClientSession) {
  if (await isDone(database, migration, { session })) return;
  // Inserted first: another instance that does the same conflicts, is retried and finds it.
  await migrationsOf(database).insertOne({ _id: migration.name }, { session });
  await migration.changeOnce?.(database, session);
}

const isDone = (database: mongo.Db, { name }: Migration, options: mongo.FindOptions) =>
  migrationsOf(database).findOne({ _id: name }, options);

const migrationsOf = (database: mongo.Db) =>
  database.collection<{ _id: string }>(MIGRATIONS_COLLECTION);

const databaseOf = (connection: Connection) => connection.getClient().db(connection.name);
