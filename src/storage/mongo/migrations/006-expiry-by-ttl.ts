import { mongo } from 'mongoose';
import { DELETED_AFTER } from '../schemas/expiry.js';
import type { Migration } from './migration.js';

const COLLECTIONS = ['sessions', 'idempotency_records'];
const INDEX_NOT_FOUND = 27;

/** Sessions and idempotency records are deleted by TTL indexes: makes them of the indexes of an earlier version. */
export const expiryByTtl: Migration = {
  name: 'expiry-by-ttl',
  schema: 4,
  async change(database) {
    for (const name of COLLECTIONS) await makeTtlIndex(database, name);
  },
};

/** In one step, so that an instance of the version before, which starts meanwhile, cannot make the old index again. */
async function makeTtlIndex(database: mongo.Db, collMod: string): Promise<void> {
  try {
    await database.command({ collMod, index: { keyPattern: { expiresAt: 1 }, ...DELETED_AFTER } });
  } catch (error) {
    // A new database: its indexes are made afterwards.
    if (error instanceof mongo.MongoServerError && error.code === INDEX_NOT_FOUND) return;
    throw error;
  }
}
