import type { Connection } from 'mongoose';
import type { Metrics } from '../../metrics/metrics.js';
import type { Deadline } from '../../shared/request-context.js';
import type { AnyCollection } from '../collection.js';
import type { OpenMode } from '../open-mode.js';
import { Committer } from './commits/committer.js';
import { Lane } from './commits/lane.js';

import { measurePool } from './connection/pool-metrics.js';
import { SessionLease } from './connection/session-lease.js';
import { type Priority, Statements } from './connection/statements.js';
import { databaseOf, documentsOf } from './documents/documents.js';
import { prepareDatabase } from './migrations/prepare-database.js';
import { MongoStore } from './mongo-store.js';

/** The transactions at a time. License checks have lanes that other work cannot delay. */
const LANES: readonly Priority[] = ['license check', 'license check', 'other', 'other', 'other'];

/**
 * Opens the store of a connected database, after it was brought to the schema of this program.
 *
 * @throws StartupError where the database is too new, or too old for a tool
 */
export async function openStore(
  connection: Connection,
  collections: readonly AnyCollection[],
  mode: OpenMode,
  deadline: Deadline,
  metrics: Metrics,
): Promise<MongoStore> {
  await prepareDatabase(connection, collections, mode);
  measurePool(connection.getClient(), metrics);
  const statements = new Statements(connection, deadline, metrics);
  const sessions = LANES.map(() => connection.getClient().startSession());
  await new SessionLease(connection, sessions).begin();
  const database = databaseOf(connection);
  const lanes = LANES.map((priority, index) => new Lane(priority, sessions[index]!, database));
  const committer = new Committer(statements, lanes);
  return new MongoStore(statements, committer, documentsOf(connection, collections), metrics);
}
