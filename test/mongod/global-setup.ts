import { findMongod } from './find-mongod';
import { reportMissingMongod } from './missing-mongod';
import { startReplicaSet } from './replica-set';

export default async function globalSetup(): Promise<void> {
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
