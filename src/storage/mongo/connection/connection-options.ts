import type { MongooseModuleFactoryOptions } from '@nestjs/mongoose';

/** An acknowledged write is on the disks of a majority, and reads return nothing that could still be rolled back. */
export const GUARANTEES = {
  w: 'majority',
  journal: true,
  readConcernLevel: 'majority',
  readPreference: 'primary',
  retryWrites: true,
} as const;

// A server counts as gone 3 s after its last response, and statements that wait for it are interrupted.
// Statements end by their own deadline, also while they wait for a connection of the pool: waitQueueTimeoutMS would
// add a timer to each. Commits and aborts take no deadline: the server selection timeout bounds them.
const TIMEOUTS = {
  heartbeatFrequencyMS: 1_000,
  connectTimeoutMS: 2_000,
  serverSelectionTimeoutMS: 2_000,
};

/** Connections to each server, whatever the URI says: Statements shares them out. */
export const MAX_POOL_SIZE = 100;

export const DRIVER_OPTIONS = {
  ...GUARANTEES,
  ...TIMEOUTS,
  retryReads: true,
  maxPoolSize: MAX_POOL_SIZE,
  // Collections and indexes are made before anything else, and waited for.
  autoCreate: false,
  autoIndex: false,
  bufferCommands: false,
} as const;

export const CONNECTION_OPTIONS: MongooseModuleFactoryOptions = {
  ...DRIVER_OPTIONS,
  // Reachability was checked before.
  retryAttempts: 0,
};
