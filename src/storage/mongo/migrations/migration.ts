import type { mongo } from 'mongoose';

/** Brings the records of an earlier version to the form of this one. */
export interface Migration {
  /** Notes in the database that it was done: never changed once it was released. */
  readonly name: string;
  /** Has the same result where it is repeated, or done by several instances at the same moment. */
  readonly change: (database: mongo.Db) => Promise<void>;
  /** What must be done only once: in one transaction with the note. */
  readonly changeOnce?: (database: mongo.Db, session: mongo.ClientSession) => Promise<void>;
}
