import type { MongooseModuleFactoryOptions } from '@nestjs/mongoose';
import { type Connection, createConnection, mongo } from 'mongoose';
import { StartupError } from '../../shared/errors/startup-error.js';
import { toStartupError } from './startup-failure.js';

/** Connections per server; Statements allocates them. */
export const MAX_POOL_SIZE = 100;

/** These override the URI. */
const DRIVER_OPTIONS = {
  // Acknowledged writes are on the disks of a majority, and reads return nothing that could still be rolled back.
  // Not `journal`, which the URI would override.
  writeConcern: { w: 'majority', j: true },
  readConcernLevel: 'majority',
  readPreference: 'primary',
  retryWrites: true,
  retryReads: true,
  // A server counts as down 3 s after its last response, which interrupts statements that wait for it.
  // Statements end by their own deadline, even while waiting for a connection. Commits and aborts have no
  // deadline; the server selection timeout limits them.
  heartbeatFrequencyMS: 1_000,
  connectTimeoutMS: 2_000,
  serverSelectionTimeoutMS: 2_000,
  maxPoolSize: MAX_POOL_SIZE,
} as const;

/** {@link prepareDatabase} creates collections and indexes first, and waits for them. */
const OPTIONS = { ...DRIVER_OPTIONS, autoCreate: false, autoIndex: false, bufferCommands: false };

/**
 * The connection options for MongooseModule.
 *
 * @throws StartupError unless the server is a replica set or sharded cluster that responds and accepts the credentials
 */
export async function connectionOptions(uri: string): Promise<MongooseModuleFactoryOptions> {
  await requireReplicaSet(uri);
  return { ...OPTIONS, uri, retryAttempts: 0, connectionErrorFactory: toStartupError };
}

/** Connects a command the way MongooseModule connects the service. */
export async function connect(uri: string): Promise<Connection> {
  await requireReplicaSet(uri);
  try {
    return await createConnection(uri, OPTIONS).asPromise();
  } catch (error) {
    throw toStartupError(error);
  }
}

/** Uses a separate client, because MongooseModule would log each failure. */
async function requireReplicaSet(uri: string): Promise<void> {
  let client: mongo.MongoClient | undefined;
  try {
    client = new mongo.MongoClient(uri, DRIVER_OPTIONS);
    rejectUnsuitable(
      await client.db('admin').command({ hello: 1 }),
      client.options.directConnection,
    );
  } catch (error) {
    throw toStartupError(error);
  } finally {
    await client?.close();
  }
}

/** The fields of the server's response to `hello` that are used. */
interface Hello {
  readonly setName?: string;
  readonly hosts?: readonly string[];
  readonly msg?: string;
}

/** @throws StartupError for a standalone server, or if reads could reach a secondary */
export function rejectUnsuitable({ setName, hosts = [], msg }: Hello, isDirect: boolean): void {
  if (!setName && msg !== 'isdbgrid') {
    throw new StartupError(
      'The server in MONGODB_URI is standalone. The service needs transactions, so it must be a replica set or a sharded ' +
        'cluster. Start mongod with --replSet rs0 and run rs.initiate() once in mongosh. ' +
        'One member is enough.',
    );
  }
  if (isDirect && hosts.length > 1) {
    throw new StartupError(
      'MONGODB_URI has directConnection=true, which would keep reading from that member even if it is no longer ' +
        'the primary. Remove the option and list the members or name the replica set.',
    );
  }
}
