import type { mongo, Types } from 'mongoose';
import type { TotalsRecord } from '../schemas/totals.schema.js';
import { giveSearchForms } from './search-forms.js';
import type { Migration } from './migration.js';

/** What is counted for each user. */
const COUNTED = [
  { collection: 'clients', user: 'owner', counter: 'clientsCount' },
  { collection: 'projects', user: 'owner', counter: 'projectsCount' },
  { collection: 'licenses', user: 'user', counter: 'licensesCount' },
] as const;

/** Licenses have terms and events, clients the search form of their name, and users their totals. */
export const lifeOfALicense: Migration = {
  name: 'life-of-a-license',
  schema: 2,
  async change(database) {
    await giveTerms(database);
    await giveSearchForms(database, 'name', 'searchName');
  },
  changeOnce: count,
};

async function giveTerms(database: mongo.Db): Promise<void> {
  await database
    .collection('licenses')
    .updateMany({ termStart: { $exists: false } }, [
      { $set: { termStart: '$issuedAt', termMonths: '$duration', replaces: null, eventsCount: 0 } },
    ]);
}

async function count(database: mongo.Db, session: mongo.ClientSession): Promise<void> {
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
