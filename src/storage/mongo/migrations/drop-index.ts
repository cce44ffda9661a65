import { mongo } from 'mongoose';

const INDEX_NOT_FOUND = 27;

/** Drops an index, which another instance may have dropped already. */
export async function dropIndex(collection: mongo.Collection, name: string): Promise<void> {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === INDEX_NOT_FOUND) return;
    throw error;
  }
}
