import { mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { isOutage } from '../connection/driver-errors.js';
import { toStartupError } from '../connection/startup-failure.js';

/** The operator's sentence for a failure of the database during a copy; other errors as they are. */
export function explainCopyFailure(error: unknown): unknown {
  if (isOutage(error)) {
    return new StartupError(
      'The connection to MongoDB was lost: make the replica set of MONGODB_URI reachable, and run the command again.',
    );
  }
  return error instanceof mongo.MongoError ? toStartupError(error) : error;
}
