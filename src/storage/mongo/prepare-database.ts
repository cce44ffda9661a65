import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Connection, mongo } from 'mongoose';
import { StartupError } from '../../shared/errors/startup-error.js';
import type { AnyCollection } from '../collection.js';
import type { OpenMode } from '../store.js';
import { schemaOf } from './indexes.js';
import { RATE_LIMIT_WINDOWS, WINDOW_SCHEMA } from './mongo-rate-limits.js';

/** The collection with the one record that says what a database is. */
export const DATABASE_INFO = 'database_info';

interface DatabaseInfo {
  readonly _id: 'schema';
  readonly version: number;
  /** Present while the migration to the next schema is unfinished: when its instance is taken to be dead, by the clock of MongoDB. */
  readonly claimedUntil?: Date;
  /** Present while a SQLite store is copied into the database. */
  readonly isUnfinishedCopy?: true;
}

/** A change to the meaning of stored records. It may be interrupted, and repeated by another instance. */
export type Migration = (database: mongo.Db) => Promise<void>;

/**
 * Each leads from one schema to the next; new fields and indexes follow from the declarations. Never change a released migration: append
 * another one. Programs one schema behind keep serving the database. If a migration does not allow that, append an empty one before it.
 */
const MIGRATIONS: readonly Migration[] = [];

/** The schema that this program writes. */
export const SCHEMA = MIGRATIONS.length + 1;

/** Life of a claim that is not renewed, interval of renewals, and pause of an instance that waits, in milliseconds. */
const LIFE = 10_000;
const RENEWAL = 1_000;
const PAUSE = 100;

/**
 * Brings a database to the schema of this program and creates what it lacks of the declarations, unless a program of the next schema
 * has prepared it.
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
  const found = await infoOf(connection).findOneAndUpdate(
    { _id: 'schema' },
    { $setOnInsert: { version: schema } },
    { upsert: true },
  );
  if (found?.isUnfinishedCopy) {
    throw new StartupError(
      `The database ${connection.name} contains an unfinished copy of a SQLite store. Finish it with ` +
        'npm run migrate-to-mongodb, use another database, or drop this one as an administrator.',
    );
  }
  const version = found?.version ?? schema;
  // Programs that cannot serve the next schema do not start once its migration has begun.
  const latest = found?.claimedUntil ? version + 1 : version;
  if (latest > schema + 1) {
    throw new StartupError(
      `The database ${connection.name} has schema ${latest} but this program supports ${schema}. ` +
        'Use the newer version that wrote it.',
    );
  }
  if (version < schema && mode === 'command') {
    throw new StartupError(
      `The database ${connection.name} was written by an earlier version. ` +
        'Start this version of the service first to migrate it.',
    );
  }
  if (found && (mode === 'command' || latest > schema)) return;
  declareModels(connection, collections);
  await createCollections(connection);
  if (version < schema) await migrate(connection, migrations);
  await createIndexes(connection);
}

/** Runs the migrations that are due, each by the one instance that has claimed it. Resolves once all are complete. */
async function migrate(connection: Connection, migrations: readonly Migration[]): Promise<void> {
  const info = infoOf(connection);
  const schema = migrations.length + 1;
  const claim = [{ $set: { claimedUntil: { $add: ['$$NOW', LIFE] } } }];
  // A record without a claim is before every time.
  const isFree = { $expr: { $lt: ['$claimedUntil', '$$NOW'] } };
  new Logger('Migrations').log('Migrating the database, or waiting for another instance to do so');
  for (;;) {
    const due = await info.findOneAndUpdate({ version: { $lt: schema }, ...isFree }, claim);
    if (due) {
      const { version } = due;
      const renew = () => info.updateOne({ version }, claim).catch(() => undefined);
      const timer = setInterval(() => void renew(), RENEWAL);
      try {
        await migrations[version - 1]!(connection.db!);
      } finally {
        clearInterval(timer);
      }
      const complete = { $set: { version: version + 1 }, $unset: { claimedUntil: true } } as const;
      await info.updateOne({ version }, complete);
    } else if (await info.findOne({ version: { $gte: schema } })) return;
    else await setTimeout(PAUSE);
  }
}

const infoOf = (connection: Connection) => connection.db!.collection<DatabaseInfo>(DATABASE_INFO);

function declareModels(connection: Connection, collections: readonly AnyCollection[]): void {
  for (const each of collections) connection.model(each.name, schemaOf(each), each.name);
  connection.model(RATE_LIMIT_WINDOWS, WINDOW_SCHEMA, RATE_LIMIT_WINDOWS);
}

/** A transaction cannot create them. */
const createCollections = ({ models }: Connection) =>
  Promise.all(Object.values(models).map((model) => model.createCollection()));

const createIndexes = ({ models }: Connection) =>
  Promise.all(Object.values(models).map((model) => model.createIndexes()));

/**
 * Prepares an empty database, or one with an unfinished copy, which is dropped, for a copy. Until {@link endCopy}, no program starts
 * on it.
 *
 * @throws StartupError if the database holds anything else
 */
export async function beginCopy(
  connection: Connection,
  collections: readonly AnyCollection[],
): Promise<void> {
  const database = connection.db!;
  const info = infoOf(connection);
  const existing = await database.listCollections({}, { nameOnly: true }).toArray();
  const names = existing.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
  if (!(await info.findOne({ isUnfinishedCopy: true }))) {
    if (names[0] !== undefined) {
      throw new StartupError(
        `The database ${connection.name} is not empty (it contains ${names[0]}). Name an empty one in MONGODB_URI.`,
      );
    }
    await info.insertOne({ _id: 'schema', version: SCHEMA, isUnfinishedCopy: true });
  }
  for (const name of names) if (name !== DATABASE_INFO) await database.dropCollection(name);
  declareModels(connection, collections);
  await createCollections(connection);
}

/** Makes a complete copy a database that services start on. Its indexes are built faster now, over all records. */
export async function endCopy(connection: Connection): Promise<void> {
  await createIndexes(connection);
  await infoOf(connection).updateOne({ _id: 'schema' }, { $unset: { isUnfinishedCopy: '' } });
}
