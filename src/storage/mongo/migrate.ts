import type { Connection, mongo } from 'mongoose';
import { StartupError } from '../../shared/errors/startup-error.js';
import { familiesOfSessions } from './migrations/families-of-sessions.js';
import { lifeOfALicense } from './migrations/life-of-a-license.js';
import { searchEmails } from './migrations/search-emails.js';
import type { Migration } from './migrations/migration.js';

/** In order. One that was released is never changed: a change is one more. */
const UPGRADES: readonly Migration[] = [lifeOfALicense, searchEmails, familiesOfSessions];

/**
 * To be called before anything is changed in the database.
 *
 * @throws StartupError where the database is newer than this program
 */
export async function requireKnownMigrations(connection: Connection): Promise<void> {
  const known = UPGRADES.map(({ name }) => name);
  const unknown = await migrations(databaseOf(connection)).findOne({ _id: { $nin: known } });
  if (!unknown) return;
  throw new StartupError(
    `The database ${connection.name} has had the upgrade ${unknown._id}, which this program does not know: ` +
      'start the newer version that has written it.',
  );
}

/**
 * Gives the records of an earlier version what this one expects. Each upgrade is done once; one that was
 * interrupted, or is done by several instances at the same moment, ends as if it was done once.
 */
export async function migrate(connection: Connection): Promise<void> {
  const database = databaseOf(connection);
  for (const one of UPGRADES) {
    if (await isDone(database, one, {})) continue;
    await one.change(database);
    await connection.transaction((tx) => finish(database, one, tx));
  }
}

async function finish(database: mongo.Db, one: Migration, session: mongo.ClientSession) {
  if (await isDone(database, one, { session })) return;
  // First, as a second instance that gets here has to begin anew, and then finds it.
  await migrations(database).insertOne({ _id: one.name }, { session });
  await one.changeOnce?.(database, session);
}

const isDone = (database: mongo.Db, { name }: Migration, options: mongo.FindOptions) =>
  migrations(database).findOne({ _id: name }, options);

const migrations = (database: mongo.Db) => database.collection<{ _id: string }>('upgrades');

const databaseOf = (connection: Connection) => connection.getClient().db(connection.name);
