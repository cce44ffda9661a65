import { findMongod } from '../mongod/find-mongod';
import { reportMissingMongod } from '../mongod/missing-mongod';
import { startReplicaSet } from '../mongod/replica-set';

let started: Promise<void> | undefined;

/** For the projects that need a mongod: the first of a run starts it, the others share it. */
export default function setUpMongod(): Promise<void> {
  return (started ??= start());
}

async function start(): Promise<void> {
  // A value from outside might be a database that somebody needs.
  delete process.env.TEST_MONGODB_URI;
  delete process.env.TEST_MONGOD;

  const mongod = await findMongod();
  if (mongod === undefined) return reportMissingMongod(process.env);

  // The library reads these in the workers too, and would prefer a broken binary named there to one passed to it.
  process.env.MONGOMS_SYSTEM_BINARY = mongod;
  process.env.MONGOMS_SYSTEM_BINARY_VERSION_CHECK = 'false';
  process.env.TEST_MONGOD = mongod;
  process.env.TEST_MONGODB_URI = await startReplicaSet();
}
