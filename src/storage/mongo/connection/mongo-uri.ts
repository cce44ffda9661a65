import { mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';

/** The part of what the driver reads from a URI that says how durable and how fresh its data are. */
type Demands = Pick<
  mongo.MongoOptions,
  'writeConcern' | 'readConcern' | 'readPreference' | 'retryWrites'
>;

const CHECKS: readonly { readonly option: string; readonly fits: (demands: Demands) => boolean }[] =
  [
    { option: 'w=majority', fits: ({ writeConcern }) => isUnsetOr('majority', writeConcern?.w) },
    { option: 'journal=true', fits: ({ writeConcern }) => isUnsetOr(true, writeConcern?.journal) },
    {
      option: 'readConcernLevel=majority',
      fits: ({ readConcern }) => isUnsetOr('majority', readConcern?.level),
    },
    {
      option: 'readPreference=primary',
      fits: ({ readPreference }) => isUnsetOr('primary', readPreference?.mode),
    },
    { option: 'retryWrites=true', fits: ({ retryWrites }) => isUnsetOr(true, retryWrites) },
  ];

const isUnsetOr = (required: unknown, value: unknown) => value === undefined || value === required;

/**
 * Rejects a URI that the driver cannot read, or that weakens the guarantees of the service. No
 * message quotes it, nor the driver's own words: both may hold a password.
 *
 * @throws StartupError
 */
export function requireFullGuarantees(uri: string): void {
  const demands = demandsOf(uri);
  const unmet = CHECKS.find(({ fits }) => !fits(demands));
  if (unmet) {
    throw new StartupError(
      `MONGODB_URI asks for less than this service promises: set ${unmet.option} there, or leave that option out.`,
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
