import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Connection, mongo } from 'mongoose';
import { commandLine } from '../../shared/config/command-line.js';
import { StartupError } from '../../shared/errors/startup-error.js';
import type { AnyCollection } from '../collection.js';
import type { OpenMode } from '../store.js';
import { schemaOf } from './indexes.js';
import { RATE_LIMIT_WINDOWS, WINDOW_SCHEMA } from './mongo-rate-limits.js';
import { endSessionsOfCopy, lowestSchema } from './session-lease.js';

/** The collection with the single record that describes the database. */
export const DATABASE_INFO = 'database_info';

interface DatabaseInfo {
  readonly _id: 'schema';
  readonly version: number;
  /** Set while a migration is running: the time from which its instance is presumed dead, by MongoDB's clock. */
  readonly claimedUntil?: Date;
  /** Set while a SQLite store is being copied into the database. */
  readonly isUnfinishedCopy?: true;
}

/** A change to the meaning of stored records. Must tolerate interruption and repetition by another instance. */
export type Migration = (database: mongo.Db) => Promise<void>;

/**
 * Each leads from one schema to the next; new fields and indexes follow from the declarations. Never change
 * a released migration; append another. Programs one schema behind can continue to use the database. If a
 * migration does not allow that, append an empty one before it.
 */
const MIGRATIONS: readonly Migration[] = [];

/** The schema this version writes. */
export const SCHEMA = MIGRATIONS.length + 1;

/**
 * In milliseconds: the lifetime of a claim that is not renewed, the renewal interval, and the polling
 * interval of a waiting instance.
 */
const LIFE = 10_000;
const RENEWAL = 1_000;
const PAUSE = 100;

/**
 * Brings a database to this version's schema and creates missing declared items, unless a program of the
 * next schema has prepared it.
 *
 * @throws StartupError if the database is too new, is an unfinished copy, or is older and either this
 *   command may not migrate it or a running instance could not continue after the migration
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
  const latest = found ? latestSchema(connection, found, schema) : schema;
  const version = found?.version ?? schema;
  if (version < schema && mode === 'command') {
    throw new StartupError(
      `The database ${connection.name} was written by an earlier version. ` +
        'Start this version of the service first to migrate it.',
    );
  }
  if (found && (mode === 'command' || latest > schema)) return;
  declareModels(connection, collections);
  await createCollections(connection);
  if (version < schema) {
    await requireServed(connection, schema);
    await migrate(connection, migrations);
  }
  await createIndexes(connection);
}

/**
 * The schema of a database; undefined until the first start.
 *
 * @throws StartupError if this program cannot use it
 */
export async function readSchema(connection: Connection): Promise<number | undefined> {
  const found = await infoOf(connection).findOne({ _id: 'schema' });
  return found ? latestSchema(connection, found, SCHEMA) : undefined;
}

/**
 * The schema of a database, or the next one if its migration has begun.
 *
 * @throws StartupError if a program of `schema` cannot use the database
 */
function latestSchema(
  { name }: Connection,
  { version, claimedUntil, isUnfinishedCopy }: DatabaseInfo,
  schema: number,
): number {
  if (isUnfinishedCopy) {
    throw new StartupError(
      `The database ${name} contains an unfinished copy of a SQLite store. Finish it with ` +
        `${commandLine('migrate-to-mongodb')}, use another database, or drop this one as an administrator.`,
    );
  }
  const latest = claimedUntil ? version + 1 : version;
  if (latest <= schema + 1) return latest;
  throw new StartupError(
    `The database ${name} has schema ${latest} but this program supports ${schema}. ` +
      'Use the newer version that wrote it.',
  );
}

/** Runs pending migrations, each on the instance that claims it. Resolves once all are complete. */
async function migrate(connection: Connection, migrations: readonly Migration[]): Promise<void> {
  const info = infoOf(connection);
  const schema = migrations.length + 1;
  const claim = [{ $set: { claimedUntil: { $add: ['$$NOW', LIFE] } } }];
  // A null claim sorts before any time.
  const isFree = { $expr: { $lt: ['$claimedUntil', '$$NOW'] } };
  new Logger('Migrations').log('Migrating the database, or waiting for another instance to do so');
  for (;;) {
    const due = await info.findOneAndUpdate({ version: { $lt: schema }, ...isFree }, claim);
    if (due) {
      const { version } = due;
      try {
        // An instance may have started since, or during an earlier migration.
        await requireServed(connection, version + 1);
      } catch (error) {
        await info.replaceOne({ version }, due);
        throw error;
      }
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

/** Programs can use their own schema and the next one. */
async function requireServed(connection: Connection, schema: number): Promise<void> {
  const lowest = (await lowestSchema(connection.db!)) ?? schema;
  if (lowest + 1 >= schema) return;
  throw new StartupError(
    `The database ${connection.name} is in use by an instance of schema ${lowest}. Stop all instances of that version, ` +
      'wait five seconds, and start this one.',
  );
}

const infoOf = (connection: Connection) => connection.db!.collection<DatabaseInfo>(DATABASE_INFO);

function declareModels(connection: Connection, collections: readonly AnyCollection[]): void {
  for (const each of collections) connection.model(each.name, schemaOf(each), each.name);
  connection.model(RATE_LIMIT_WINDOWS, WINDOW_SCHEMA, RATE_LIMIT_WINDOWS);
}

/** Transactions cannot create collections and indexes. */
const createCollections = ({ models }: Connection) =>
  Promise.all(Object.values(models).map((model) => model.createCollection()));

const createIndexes = ({ models }: Connection) =>
  Promise.all(Object.values(models).map((model) => model.createIndexes()));

/**
 * Prepares an empty database for a copy, first dropping an unfinished copy. Until {@link endCopy}, no program starts on it.
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
  await endSessionsOfCopy(connection.getClient());
  for (const name of names) if (name !== DATABASE_INFO) await database.dropCollection(name);
  declareModels(connection, collections);
  await createCollections(connection);
}

/** Finishes a copy, so services can start on it. Building the indexes now, over all records, is faster. */
export async function endCopy(connection: Connection): Promise<void> {
  await createIndexes(connection);
  await infoOf(connection).updateOne({ _id: 'schema' }, { $unset: { isUnfinishedCopy: '' } });
}
