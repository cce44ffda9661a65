import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Connection, mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { INDEX_BUILD_IN_PROGRESS } from '../connection/driver-errors.js';
import { type MigrationRecord, MIGRATIONS_COLLECTION } from '../schemas/migration.schema.js';
import { lifeOfALicense } from './001-life-of-a-license.js';
import { searchEmails } from './002-search-emails.js';
import { familiesOfSessions } from './003-families-of-sessions.js';
import { idempotencyRecords } from './004-idempotency-records.js';
import { correctSearchForms } from './005-correct-search-forms.js';
import { expiryByTtl } from './006-expiry-by-ttl.js';
import type { Migration } from './migration.js';

/**
 * Recorded like a migration while the records of a SQLite store are copied into the database. Versions that do not know
 * it do not start on the database either: it is no migration of theirs.
 */
export const UNFINISHED_COPY = 'unfinished-copy';

/** Timeout of an index build, and pause before the next attempt, in milliseconds. */
const TIMEOUT = 60_000;
const PAUSE = 50;

const logger = new Logger('Migrations');

/** In order. A released migration is never changed: a change is one more migration. */
const MIGRATIONS: readonly Migration[] = [
  lifeOfALicense,
  searchEmails,
  familiesOfSessions,
  idempotencyRecords,
  correctSearchForms,
  expiryByTtl,
];

/** The newest schema that this program knows. It works beside programs of the schema before, and of the one after. */
const SCHEMA = MIGRATIONS.at(-1)!.schema;

/** How a database stands to this program: `next` where a program of the next schema has migrated it. */
export type DatabaseState = 'empty' | 'behind' | 'current' | 'next';

/**
 * Compares the migrations of a database with those of this program. To be called before anything is changed there.
 *
 * @throws StartupError where the database is newer than the next schema, or an unfinished copy
 */
export async function stateOf(connection: Connection): Promise<DatabaseState> {
  const done = await migrationsOf(databaseOf(connection)).find().toArray();
  if (done.some(({ _id }) => _id === UNFINISHED_COPY)) {
    throw new StartupError(
      `The database ${connection.name} holds an unfinished copy of a SQLite store: complete it with ` +
        'npm run migrate-to-mongodb, name another database, or drop this one as an administrator.',
    );
  }
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const unknown = done.filter(({ _id }) => !known.has(_id));
  const tooNew = unknown.find(({ schema }) => schema !== SCHEMA + 1);
  if (tooNew) {
    throw new StartupError(
      `The database ${connection.name} has had the migration ${tooNew._id}, which this program does not know: ` +
        'start the newer version that has written it.',
    );
  }
  if (done.length === 0 && !(await hasUsers(databaseOf(connection)))) return 'empty';
  if (unknown.length > 0) return 'next';
  return done.length === MIGRATIONS.length ? 'current' : 'behind';
}

/** Runs the migrations that the database has not had. It may be interrupted, and run in several instances at once. */
export async function migrate(connection: Connection): Promise<void> {
  const database = databaseOf(connection);
  for (const migration of MIGRATIONS) {
    if (await isDone(database, migration, {})) continue;
    await changeBesideIndexBuilds(database, migration);
    await connection.transaction((session) => finish(database, migration, session));
  }
}

/** Waits while another instance, which starts at the same time, builds an index of a collection that is changed. */
async function changeBesideIndexBuilds(database: mongo.Db, migration: Migration): Promise<void> {
  const end = performance.now() + TIMEOUT;
  for (let attempt = 1; ; attempt++) {
    try {
      return await migration.change(database);
    } catch (error) {
      const isBuilding =
        error instanceof mongo.MongoServerError && error.code === INDEX_BUILD_IN_PROGRESS;
      if (!isBuilding || performance.now() > end) throw error;
      if (attempt === 1)
        logger.log(`${migration.name} waits for an index that another instance builds`);
    }
    await setTimeout(PAUSE);
  }
}

async function finish(database: mongo.Db, migration: Migration, session: mongo.ClientSession) {
  if (await isDone(database, migration, { session })) return;
  // Inserted first: another instance that does the same conflicts, is retried and finds it.
  const { name, schema } = migration;
  await migrationsOf(database).insertOne({ _id: name, schema }, { session });
  await migration.changeOnce?.(database, session);
}

const isDone = (database: mongo.Db, { name }: Migration, options: mongo.FindOptions) =>
  migrationsOf(database).findOne({ _id: name }, options);

const migrationsOf = (database: mongo.Db) =>
  database.collection<MigrationRecord>(MIGRATIONS_COLLECTION);

/** The first version recorded no migrations. */
const hasUsers = (database: mongo.Db) => database.listCollections({ name: 'users' }).hasNext();

const databaseOf = (connection: Connection) => connection.getClient().db(connection.name);
