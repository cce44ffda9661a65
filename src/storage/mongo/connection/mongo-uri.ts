import { mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';

/** The options of a URI that decide how durable writes and how fresh reads are. */
type Demands = Pick<
  mongo.MongoOptions,
  'writeConcern' | 'readConcern' | 'readPreference' | 'retryWrites'
>;

/** Options of a URI that may be absent, and must not have another value. */
const REQUIRED: Readonly<Record<string, (demands: Demands) => boolean>> = {
  'w=majority': ({ writeConcern }) => isUnsetOr('majority', writeConcern?.w),
  'journal=true': ({ writeConcern }) => isUnsetOr(true, writeConcern?.journal),
  'readConcernLevel=majority': ({ readConcern }) => isUnsetOr('majority', readConcern?.level),
  'readPreference=primary': ({ readPreference }) => isUnsetOr('primary', readPreference?.mode),
  'retryWrites=true': ({ retryWrites }) => isUnsetOr(true, retryWrites),
};

const isUnsetOr = (required: unknown, value: unknown) => value === undefined || value === required;

/**
 * Rejects a URI that the driver cannot read, or that weakens the guarantees of the service. No
 * message quotes it, nor the driver's own words: both may hold a password.
 *
 * @throws StartupError
 */
export function requireFullGuarantees(uri: string): void {
  const demands = demandsOf(uri);
  const [unmet] = Object.entries(REQUIRED).find(([, fits]) => !fits(demands)) ?? [];
  if (unmet) {
    throw new StartupError(
      `MONGODB_URI asks for less than this service promises: set ${unmet} there, or leave that option out.`,
    );
  }
}

function demandsOf(uri: string): Demands {
  try {
    return new mongo.MongoClient(uri).options;
  } catch {
    throw new StartupError(
      'MONGODB_URI cannot be read: write it as mongodb://user:password@host:27017/database?replicaSet=name, ' +
        'with options that MongoDB knows, and percent-encode the special characters of user and password.',
    );
  }
}
