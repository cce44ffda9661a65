import { mongo } from 'mongoose';

const UNREACHABLE = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoServerClosedError,
  mongo.MongoExpiredSessionError,
];

// Labels by which the driver and the server say that a retry may succeed.
const TEMPORARY = [
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'SystemOverloadedError',
];

/** A wait for a connection exceeded the waitQueueTimeoutMS of the URI: the driver does not export the class. */
const POOL_TIMEOUT = 'MongoWaitQueueTimeoutError';

/** The server ended a statement by its maxTimeMS. */
export const MAX_TIME_EXPIRED = 50;

// Codes of reads that fail during an election: the server labels only writes.
const CHANGING_PRIMARY = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

/** Whether an error means that the database is unreachable at the moment, or too slow. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof mongo.MongoError)) return false;
  return (
    error.name === POOL_TIMEOUT ||
    error.code === MAX_TIME_EXPIRED ||
    UNREACHABLE.some((kind) => error instanceof kind) ||
    TEMPORARY.some((label) => error.hasErrorLabel(label)) ||
    CHANGING_PRIMARY.has(Number(error.code))
  );
}

const DUPLICATE_KEY = 11000;

/** Whether an error means that another record has the same value of this unique field. */
export function isDuplicateOf(field: string, error: unknown): boolean {
  return (
    error instanceof mongo.MongoServerError &&
    error.code === DUPLICATE_KEY &&
    Object.keys((error.keyPattern ?? {}) as object).includes(field)
  );
}

/** The outcome of a write that another record of the same value prevented; rethrows any other error. */
export function duplicateOf<Outcome>(field: string, outcome: Outcome, error: unknown): Outcome {
  if (isDuplicateOf(field, error)) return outcome;
  throw error;
}
