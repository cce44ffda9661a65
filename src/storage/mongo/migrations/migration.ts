import type { mongo } from 'mongoose';

/** A change of the records of an earlier version into what this one expects. */
export interface Migration {
  /** By which the database notes that it was done: never changed once it was released. */
  readonly name: string;
  /** What comes to the same by being done again, or by several instances at the same moment. */
  readonly change: (database: mongo.Db) => Promise<void>;
  /** What may be done once: in one transaction with the note. */
  readonly changeOnce?: (database: mongo.Db, session: mongo.ClientSession) => Promise<void>;
}
