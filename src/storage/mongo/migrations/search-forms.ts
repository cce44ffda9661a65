import type { mongo } from 'mongoose';
import { searchForm } from '../../../shared/search/search-form.js';

/** Maximum of records changed by one command. */
const BATCH = 1_000;

/**
 * Stores the search form of a field in clients that lack it, or have another.
 *
 * @param which the clients that are read
 */
export async function giveSearchForms(
  database: mongo.Db,
  field: string,
  form: string,
  which: mongo.Filter<mongo.Document> = { [form]: { $exists: false } },
): Promise<void> {
  const clients = database.collection('clients');
  let batch: mongo.AnyBulkWriteOperation[] = [];
  const write = async () => {
    if (batch.length > 0) await clients.bulkWrite(batch, { ordered: false });
    batch = [];
  };
  for await (const client of clients.find(which, { projection: { [field]: 1, [form]: 1 } })) {
    const text: unknown = client[field];
    const correct = searchForm(String(text));
    if (client[form] === correct) continue;
    // Where the field has changed since it was read, its search form has, too.
    const filter = { _id: client._id, [field]: text };
    batch.push({ updateOne: { filter, update: { $set: { [form]: correct } } } });
    if (batch.length === BATCH) await write();
  }
  await write();
}
