import { mongo } from 'mongoose';
import { StartupError } from '../../shared/errors/startup-error.js';

const WRONG_CREDENTIALS =
  'MongoDB rejects the user or the password of MONGODB_URI: correct them, percent-encode their ' +
  'special characters, or set authSource to the database that knows the user.';

/** The operator's message for each error code. */
const REJECTIONS: Readonly<Record<number, string>> = {
  18: WRONG_CREDENTIALS,
  // MongoDB Atlas.
  8000: WRONG_CREDENTIALS,
  13:
    'MongoDB does not let the user of MONGODB_URI prepare the database: give a user and a password ' +
    'there, and that user the role readWrite on it.',
  14031: 'The disk of MongoDB is full: free some space there, and try again.',
};

/** The operator's message for an unusable MongoDB. Never quotes the driver's message, which may contain the URI. */
export function toStartupError(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  if (error instanceof mongo.MongoServerSelectionError) return new StartupError(noPrimary(error));
  if (error instanceof mongo.MongoServerError) return new StartupError(rejected(error));
  return new StartupError(
    `MongoDB cannot be used (${(error as Error).name}): make the server of MONGODB_URI reachable, ` +
      'or correct the host names, the options or the TLS settings there.',
  );
}

function noPrimary({ reason }: mongo.MongoServerSelectionError): string {
  const servers = [...(reason?.servers.values() ?? [])];
  if (servers.some(({ type }) => type === 'RSGhost')) {
    return 'The replica set of MONGODB_URI was never initiated: run rs.initiate() once in mongosh.';
  }
  if (servers.length === 0) {
    return (
      'No server of MONGODB_URI belongs to the replica set that it names: correct replicaSet, ' +
      'or make the server a member (mongod --replSet, and rs.initiate() once).'
    );
  }
  return (
    `MongoDB at ${servers.map(({ address }) => address).join(', ')} did not respond as a primary within 2 seconds: ` +
    'start it, or correct the hosts and the TLS settings in MONGODB_URI.'
  );
}

const rejected = ({ code, codeName }: mongo.MongoServerError): string =>
  REJECTIONS[Number(code)] ??
  `MongoDB does not allow the service to prepare the database of MONGODB_URI (${codeName ?? code}): ` +
    'name one that only this service writes, or correct its collections and indexes.';
