import type { mongo } from 'mongoose';

/**
 * Changes the documents of a collection in steps, each of which is a transaction.
 *
 * @param step gets the ids of the next documents
 */
export async function inSteps(
  database: mongo.Db,
  collection: string,
  size: number,
  step: (ids: readonly mongo.ObjectId[], session: mongo.ClientSession) => Promise<void>,
): Promise<void> {
  const documents = database.collection(collection);
  for (let last: mongo.ObjectId | undefined; ;) {
    const page = await documents
      .find(last ? { _id: { $gt: last } } : {}, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(size)
      .toArray();
    const ids = page.map(({ _id }) => _id);
    if (ids.length === 0) return;
    await database.client.withSession((session) =>
      session.withTransaction(() => step(ids, session)),
    );
    last = ids.at(-1);
  }
}
