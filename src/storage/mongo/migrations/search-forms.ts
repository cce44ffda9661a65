import type { mongo } from 'mongoose';
import { searchForm } from '../../../shared/search/search-form.js';

/** Maximum of records changed by one command. */
const BATCH = 1_000;

/** Stores the search form of a field in clients that lack it. */
export async function giveSearchForms(
  database: mongo.Db,
  field: string,
  form: string,
): Promise<void> {
  const clients = database.collection('clients');
  const without = { [form]: { $exists: false } };
  let batch: mongo.AnyBulkWriteOperation[] = [];
  const write = async () => {
    if (batch.length > 0) await clients.bulkWrite(batch, { ordered: false });
    batch = [];
  };
  for await (const client of clients.find(without, { projection: { [field]: 1 } })) {
    const update = { $set: { [form]: searchForm(String(client[field])) } };
    // The field may have changed since it was read; then its search form is there.
    batch.push({ updateOne: { filter: { _id: client._id, ...without }, update } });
    if (batch.length === BATCH) await write();
  }
  await write();
}
