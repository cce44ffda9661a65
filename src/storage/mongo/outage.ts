import { mongo } from 'mongoose';

const UNREACHABLE = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoServerClosedError,
  mongo.MongoExpiredSessionError,
];

// By these the driver and the server say that trying again is worth it.
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

// Reads fail with these while a primary goes and another comes; the server labels writes alone.
const CHANGING_PRIMARY = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

/** Whether an error means that the database is not there at the moment, or too slow. */
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
