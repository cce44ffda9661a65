import { mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { GUARANTEES } from './connection-options.js';

/**
 * Rejects a URI that the driver cannot read, or that weakens the guarantees of the service. No
 * message quotes it, nor the driver's own words: both may hold a password.
 *
 * @throws StartupError
 */
export function requireFullGuarantees(uri: string): void {
  const { writeConcern, readConcern, readPreference, retryWrites } = optionsOf(uri);
  const demanded: Record<keyof typeof GUARANTEES, unknown> = {
    w: writeConcern?.w,
    journal: writeConcern?.journal,
    readConcernLevel: readConcern?.level,
    readPreference: readPreference?.mode,
    retryWrites,
  };
  for (const [name, promised] of Object.entries(GUARANTEES)) {
    const value = demanded[name as keyof typeof GUARANTEES] ?? promised;
    if (value === promised) continue;
    throw new StartupError(
      `MONGODB_URI asks for less than this service promises: set ${name}=${promised} there, or leave that option out.`,
    );
  }
}

/** The options of a client for a URI: those that it does not name may be undefined. */
function optionsOf(uri: string): Partial<mongo.MongoOptions> {
  try {
    return new mongo.MongoClient(uri).options;
  } catch {
    throw new StartupError(
      'MONGODB_URI cannot be read: write it as mongodb://user:password@host:27017/database?replicaSet=name, ' +
        'with options that MongoDB knows, and percent-encode the special characters of user and password.',
    );
  }
}
