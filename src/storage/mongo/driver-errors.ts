import { mongo } from 'mongoose';

const UNREACHABLE = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoServerClosedError,
  mongo.MongoExpiredSessionError,
  // The write may not survive a failover.
  mongo.MongoWriteConcernError,
];

// Labels that mark an error as retryable.
const TEMPORARY = [
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'SystemOverloadedError',
];

/** A wait for a connection exceeded the URI's waitQueueTimeoutMS; the driver does not export the class. */
const POOL_TIMEOUT = 'MongoWaitQueueTimeoutError';

/** The server ended a statement because of its maxTimeMS. */
const MAX_TIME_EXPIRED = 50;

// Codes of reads that fail during an election, because the server labels only writes. 11601: a killed
// statement. 134 and 246: a snapshot that the server does not have yet, or no longer has.
const INTERRUPTED = new Set([91, 134, 189, 246, 10107, 11600, 11601, 11602, 13435, 13436]);

/** Codes of a connection that breaks while a command is written; the driver does not wrap these system errors. */
const BROKEN = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'];

/** Whether an error means that the database is currently unreachable or too slow. */
export function isOutage(error: unknown): boolean {
  if (BROKEN.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')) return true;
  if (!(error instanceof mongo.MongoError)) return false;
  return (
    error.name === POOL_TIMEOUT ||
    isTimeExpired(error) ||
    UNREACHABLE.some((kind) => error instanceof kind) ||
    TEMPORARY.some((label) => error.hasErrorLabel(label)) ||
    INTERRUPTED.has(Number(error.code))
  );
}

/** The server had no time left for a statement; it may still be up and fast. */
export const isTimeExpired = (error: unknown): boolean =>
  error instanceof mongo.MongoError && error.code === MAX_TIME_EXPIRED;

/** Another transaction was changing the record. */
const WRITE_CONFLICT = 112;

export const isWriteConflict = (error: unknown): boolean =>
  error instanceof mongo.MongoError && error.code === WRITE_CONFLICT;

export const DUPLICATE_KEY = 11000;
