import type { Migration } from './migration.js';

const EARLIER = 'idempotency_claims';

/** Idempotency records have a collection of that name. */
export const idempotencyRecords: Migration = {
  name: 'idempotency-records',
  schema: 2,
  async change(database) {
    // Copied, not renamed: by now the collection of the new name exists, and another instance may be using it.
    const into = 'idempotency_records';
    const merge = { into, on: '_id', whenMatched: 'keepExisting', whenNotMatched: 'insert' };
    await database
      .collection(EARLIER)
      .aggregate([{ $merge: merge }])
      .toArray();
    // Not dropped: an instance that runs this migration at the same moment may still be reading it.
    await database.collection(EARLIER).deleteMany({});
  },
};
