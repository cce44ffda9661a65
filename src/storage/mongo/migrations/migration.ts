import type { mongo } from 'mongoose';

/** Converts the records of an earlier version. */
export interface Migration {
  /** Recorded in the database once it is done; never changed after a release. */
  readonly name: string;
  /** The {@link SCHEMA} that this migration belongs to. Programs of the schema before can serve the migrated database. */
  readonly schema: number;
  /** Idempotent, also when several instances run it at the same time. */
  readonly change: (database: mongo.Db) => Promise<void>;
  /** Runs once, in one transaction with the record of it. */
  readonly changeOnce?: (database: mongo.Db, session: mongo.ClientSession) => Promise<void>;
}
