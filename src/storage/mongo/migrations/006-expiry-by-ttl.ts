import type { mongo } from 'mongoose';
import { dropIndex } from './drop-index.js';
import type { Migration } from './migration.js';

const COLLECTIONS = ['sessions', 'idempotency_records'];

/** Sessions and idempotency records are deleted by TTL indexes: drops the indexes that are none, for these to be made. */
export const expiryByTtl: Migration = {
  name: 'expiry-by-ttl',
  schema: 4,
  async change(database) {
    for (const name of COLLECTIONS) await dropPlainIndex(database.collection(name));
  },
};

async function dropPlainIndex(collection: mongo.Collection): Promise<void> {
  const indexes = await collection.indexes();
  const plain = indexes.find(
    ({ key, expireAfterSeconds }) => key.expiresAt && expireAfterSeconds === undefined,
  );
  if (plain?.name) await dropIndex(collection, plain.name);
}
