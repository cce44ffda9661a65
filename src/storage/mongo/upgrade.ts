import type { Connection, mongo, Types } from 'mongoose';
import { searchForm } from '../../shared/search/search-form.js';
import type { TotalsRecord } from './schemas/totals.schema.js';

/** The upgrade's name in the collection of those that were done. */
const LIFE_OF_A_LICENSE = 'life-of-a-license';

/** What is counted for each user. */
const COUNTED = [
  { collection: 'clients', user: 'owner', counter: 'clientsCount' },
  { collection: 'projects', user: 'owner', counter: 'projectsCount' },
  { collection: 'licenses', user: 'user', counter: 'licensesCount' },
] as const;

/** How many records are changed by one command. */
const BATCH = 1_000;

/**
 * Gives the records of an earlier version what this one expects. It is done once; one that was
 * interrupted, or is done by several instances at the same moment, ends as if it was done once.
 */
export async function upgrade(connection: Connection): Promise<void> {
  const database = connection.getClient().db(connection.name);
  if (await isDone(database, {})) return;
  await giveTerms(database);
  await giveSearchNames(database);
  await connection.transaction((tx) => countOnce(database, tx));
}

async function giveTerms(database: mongo.Db): Promise<void> {
  await database
    .collection('licenses')
    .updateMany({ termStart: { $exists: false } }, [
      { $set: { termStart: '$issuedAt', termMonths: '$duration', replaces: null, eventsCount: 0 } },
    ]);
}

async function giveSearchNames(database: mongo.Db): Promise<void> {
  const clients = database.collection('clients');
  const without = { searchName: { $exists: false } };
  let batch: mongo.AnyBulkWriteOperation[] = [];
  const write = async () => {
    if (batch.length > 0) await clients.bulkWrite(batch, { ordered: false });
    batch = [];
  };
  for await (const { _id, name } of clients.find(without, { projection: { name: 1 } })) {
    const update = { $set: { searchName: searchForm(String(name)) } };
    // The name may have changed since it was read; then its search form is there.
    batch.push({ updateOne: { filter: { _id, ...without }, update } });
    if (batch.length === BATCH) await write();
  }
  await write();
}

/** In one transaction with the note that the upgrade was done, so that nothing is counted twice. */
async function countOnce(database: mongo.Db, session: mongo.ClientSession): Promise<void> {
  if (await isDone(database, { session })) return;
  // First, as a second instance that gets here has to begin anew, and then finds it.
  await upgrades(database).insertOne({ _id: LIFE_OF_A_LICENSE }, { session });
  const totals = new Map<string, TotalsRecord>();
  for (const { collection, user, counter } of COUNTED) {
    const counts = database
      .collection(collection)

      .aggregate<{ _id: Types.ObjectId; count: number }>(
        [{ $group: { _id: `$${user}`, count: { $sum: 1 } } }],
        { session },
      );
    for await (const { _id, count } of counts) {
      const nothing = { _id, clientsCount: 0, projectsCount: 0, licensesCount: 0 };
      totals.set(String(_id), { ...nothing, ...totals.get(String(_id)), [counter]: count });
    }
  }
  const operations = [...totals.values()].map(({ _id, ...replacement }) => ({
    replaceOne: { filter: { _id }, replacement, upsert: true },
  }));
  if (operations.length > 0) await database.collection('totals').bulkWrite(operations, { session });
}

const isDone = (database: mongo.Db, options: mongo.FindOptions) =>
  upgrades(database).findOne({ _id: LIFE_OF_A_LICENSE }, options);

const upgrades = (database: mongo.Db) => database.collection<{ _id: string }>('upgrades');
