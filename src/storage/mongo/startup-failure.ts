import { mongo } from 'mongoose';
import { StartupError } from '../../shared/errors/startup-error.js';

const WRONG_CREDENTIALS =
  'MongoDB rejects the user or the password in MONGODB_URI. Correct them, percent-encode ' +
  'special characters, or set authSource to the database that contains the user.';

/** The operator's message for each error code. */
const REJECTIONS: Readonly<Record<number, string>> = {
  18: WRONG_CREDENTIALS,
  // MongoDB Atlas.
  8000: WRONG_CREDENTIALS,
  13:
    'MongoDB does not let the user in MONGODB_URI prepare the database. Set a user and a password ' +
    'there and give that user the readWrite role on the database.',
  14031: 'The disk of MongoDB is full. Free some space there and try again.',
};

/** The operator's message for an unusable MongoDB. Never quotes the driver's message, which may contain the URI. */
export function toStartupError(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  if (error instanceof mongo.MongoServerSelectionError) return new StartupError(noPrimary(error));
  if (error instanceof mongo.MongoServerError) return new StartupError(rejected(error));
  return new StartupError(
    `MongoDB cannot be used (${(error as Error).name}). Make sure that the server in MONGODB_URI is reachable ` +
      'and that its host names, options and TLS settings are correct.',
  );
}

function noPrimary({ reason }: mongo.MongoServerSelectionError): string {
  const servers = [...(reason?.servers.values() ?? [])];
  if (servers.some(({ type }) => type === 'RSGhost')) {
    return 'The replica set in MONGODB_URI was never initiated. Run rs.initiate() once in mongosh.';
  }
  if (servers.length === 0) {
    return (
      'No server in MONGODB_URI belongs to the replica set it names. Correct replicaSet ' +
      'or make the server a member (start mongod with --replSet and run rs.initiate() once).'
    );
  }
  return (
    `MongoDB at ${servers.map(({ address }) => address).join(', ')} did not respond as a primary within 2 seconds. ` +
    'Start it or correct the hosts and the TLS settings in MONGODB_URI.'
  );
}

const rejected = ({ code, codeName }: mongo.MongoServerError): string =>
  REJECTIONS[Number(code)] ??
  `MongoDB does not allow the service to prepare the database in MONGODB_URI (${codeName ?? code}). ` +
    'Use a database that only this service writes to, or correct its collections and indexes.';
