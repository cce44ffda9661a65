import type { MongooseModuleFactoryOptions } from '@nestjs/mongoose';

/**
 * What every connection asks for, whatever the URI says: an acknowledged write is on the disks of a
 * majority, and nothing that could still be rolled back is read.
 */
const GUARANTEES = {
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
  retryReads: true,
  retryWrites: true,
} as const;

// Within 3 s of its last sign of life a server counts as gone, and what waits for it is interrupted.
// Looking for a primary ends before the store's deadline does, so that nothing is begun after it.
const PATIENCE = {
  heartbeatFrequencyMS: 1_000,
  connectTimeoutMS: 2_000,
  serverSelectionTimeoutMS: 2_000,
};

export const CONNECTION_OPTIONS: MongooseModuleFactoryOptions = {
  ...GUARANTEES,
  ...PATIENCE,
  // MongoStore makes collections and indexes before anything else, and waits for them.
  autoCreate: false,
  autoIndex: false,
  bufferCommands: false,
  // Reachability was checked before.
  retryAttempts: 0,
};
