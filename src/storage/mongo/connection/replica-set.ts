import { mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { requireFullGuarantees } from './mongo-uri.js';
import { toStartupError } from './startup-failure.js';

const START_TIMEOUT_MS = 5_000;

/**
 * Checks a URI and the kind of its server before the service connects to it.
 *
 * @throws StartupError where they are unfit for the service, or the server does not respond within 5 s or rejects the credentials
 */
export async function requireReplicaSet(uri: string): Promise<void> {
  requireFullGuarantees(uri);
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: START_TIMEOUT_MS });
  try {
    await client.connect();
    rejectUnfit(await client.db('admin').command({ hello: 1 }), client.options.directConnection);
  } catch (error) {
    throw toStartupError(error);
  } finally {
    await client.close();
  }
}

/** The fields that are read here of a server's response to `hello`. */
interface Hello {
  readonly setName?: string;
  readonly hosts?: readonly string[];
  readonly msg?: string;
}

/** @throws StartupError for a standalone server, and where a secondary might be read one day */
export function rejectUnfit({ setName, hosts = [], msg }: Hello, directConnection: boolean): void {
  if (!setName && msg !== 'isdbgrid') {
    throw new StartupError(
      'The server of MONGODB_URI stands alone and must be a replica set or a sharded cluster, because a change of ' +
        'several records is a transaction: start mongod with --replSet rs0 and run rs.initiate() once in mongosh; ' +
        'one member is enough.',
    );
  }
  if (directConnection && hosts.length > 1) {
    throw new StartupError(
      'MONGODB_URI has directConnection=true and would read that one member even when it is no longer ' +
        'the primary: leave the option out, and name the members or the replica set.',
    );
  }
}
