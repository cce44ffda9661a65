import type { Connection, mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import type { AnyCollection } from '../../collection.js';
import type { OpenMode } from '../../open-mode.js';
import { databaseOf } from '../documents/documents.js';
import { createCollections, createIndexes, modelsOf } from '../documents/schemas.js';
import { convertFrom05 } from './convert-from-0-5.js';
import { type MigrationRecord, runOnce } from './run-once.js';

// Not renamed: earlier versions reject a newer database by the unknown names in this collection.
export const MIGRATIONS_COLLECTION = 'upgrades';

/**
 * Recorded like a migration while the records of a SQLite store are copied into the database, so that no version starts
 * on it.
 */
export const UNFINISHED_COPY = 'unfinished-copy';

/** The newest schema that this program knows. It is two above that of 0.5, which cannot serve this database. */
const SCHEMA = 6;
const NEWEST: MigrationRecord = { _id: 'records-declared-once', schema: SCHEMA };

/** The migrations of a database of version 0.5. */
const OF_0_5 = [
  'life-of-a-license',
  'search-emails',
  'families-of-sessions',
  'idempotency-records',
  'correct-search-forms',
  'expiry-by-ttl',
];

/** How a database stands to this program: `next` where a program of the next schema has migrated it. */
type DatabaseState = 'empty' | 'behind' | 'current' | 'next';

/**
 * Brings a database to the schema of this program, unless a program of the next one has prepared it.
 *
 * @throws StartupError where the database is too new, too old, or an unfinished copy
 */
export async function prepareDatabase(
  connection: Connection,
  collections: readonly AnyCollection[],
  mode: OpenMode,
): Promise<void> {
  const models = modelsOf(connection, collections);
  const state = await stateOf(connection);
  if (state === 'behind' && mode !== 'service') {
    throw new StartupError(
      `The database ${connection.name} was written by an earlier version: ` +
        'start the service of this version first, which migrates it.',
    );
  }
  if (state === 'next' || (state === 'current' && mode !== 'service')) return;
  if (state === 'empty') await recordNewest(connection);
  await createCollections(models);
  if (state === 'behind') {
    await runOnce(migrationsOf(connection), NEWEST, () =>
      convertFrom05(databaseOf(connection), collections),
    );
  }
  await createIndexes(models);
}

/** Records that a database which is empty needs no migration. */
export async function recordNewest(connection: Connection): Promise<void> {
  const { _id, ...record } = NEWEST;
  await migrationsOf(connection).updateOne({ _id }, { $set: record }, { upsert: true });
}

export const migrationsOf = (connection: Connection): mongo.Collection<MigrationRecord> =>
  databaseOf(connection).collection<MigrationRecord>(MIGRATIONS_COLLECTION);

/** Compares the migrations of a database with those of this program, before anything is changed there. */
async function stateOf(connection: Connection): Promise<DatabaseState> {
  const done = await migrationsOf(connection).find().toArray();
  const names = done.map(({ _id }) => _id);
  if (names.includes(UNFINISHED_COPY)) {
    throw new StartupError(
      `The database ${connection.name} holds an unfinished copy of a SQLite store: complete it with ` +
        'npm run migrate-to-mongodb, name another database, or drop this one as an administrator.',
    );
  }
  const unknown = done.filter(({ _id }) => ![...OF_0_5, NEWEST._id].includes(_id));
  const tooNew = unknown.find(({ schema }) => schema !== SCHEMA + 1);
  if (tooNew) {
    throw new StartupError(
      `The database ${connection.name} has had the migration ${tooNew._id}, which this program does not know: ` +
        'start the newer version that has written it.',
    );
  }
  if (unknown.length > 0) return 'next';
  if (done.some(({ _id, until }) => _id === NEWEST._id && !until)) return 'current';
  if (OF_0_5.every((name) => names.includes(name))) return 'behind';
  // The first version recorded no migrations.
  const users = databaseOf(connection).listCollections({ name: 'users' });
  if (done.length === 0 && !(await users.hasNext())) return 'empty';
  throw new StartupError(
    `The database ${connection.name} was written by a version before 0.5: start the service of version 0.5 on it once, ` +
      'then this version.',
  );
}
