import { mongo } from 'mongoose';

const DUPLICATE_KEY = 11000;

/** Whether an error means that another record has the same value of this unique field. */
export function isDuplicateOf(field: string, error: unknown): boolean {
  return (
    error instanceof mongo.MongoServerError &&
    error.code === DUPLICATE_KEY &&
    Object.keys((error.keyPattern ?? {}) as object).includes(field)
  );
}

/** What became of a write that failed as another license has the key; any other error goes on. */
export function keyCollision(error: unknown): 'key_collision' {
  if (isDuplicateOf('keyHash', error)) return 'key_collision';
  throw error;
}
